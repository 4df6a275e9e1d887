import type { Ref } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { ElsewhereButton } from '../playback/ElsewhereButton.tsx'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { getSongPhase } from '../playback/playbackState.ts'
import { PlayableArt, SongNames } from '../playback/SongParts.tsx'
import { formatDate } from '../ui/formatDate.ts'

interface RatedRowProps {
  ratedSong: RatedSong
  /** False until the names are on screen. */
  isPainted?: boolean
  /** The button that plays the song. */
  ref?: Ref<HTMLButtonElement>
}

/** A rated song. Pressing the art plays it; the row of the current song is marked (people-28). */
export function RatedRow({ ratedSong: { song, createdAt }, isPainted = true, ref }: RatedRowProps) {
  const phase = usePlaybackState((state) => getSongPhase(state, song.id))
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      aria-current={phase !== null || undefined}
      className={`${rowClasses} aria-[current]:bg-raised aria-[current]:[&_b]:text-accent`}
    >
      <PlayableArt ref={ref} song={song} phase={phase} isPainted={isPainted} className="size-14">
        <span className="absolute bottom-0 left-0 hidden bg-paper p-1 [:is(button:hover,button:focus-visible,[aria-current]>button)>&]:block">
          <PlaybackIcon phase={phase ?? 'paused'} className="size-5" />
        </span>
      </PlayableArt>
      <SongNames song={song} />
      <span className="-my-1 flex flex-col items-end wide:flex-row-reverse wide:items-center wide:gap-2">
        <ElsewhereButton song={song} isInList />
        <time dateTime={createdAt} className="text-xs text-ink-3 tabular-nums">
          {isPainted && formatDate(createdAt)}
        </time>
      </span>
    </div>
  )
}

/** In the place of a song that is not loaded yet. */
export function PlaceholderRow() {
  return (
    <div aria-hidden="true" className={rowClasses}>
      <span className="block size-14 rounded-art bg-raised" />
      <span className="h-4 w-1/2 rounded-art bg-raised" />
    </div>
  )
}

const rowClasses = 'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 py-2 pr-2'
