import type { Ref } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { ElsewhereButton } from '../playback/ElsewhereButton.tsx'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { formatDate } from '../ui/formatDate.ts'

interface RatedRowProps {
  rated: RatedSong
  /** False until the names are on screen. */
  painted?: boolean
  /** Of the button that plays the song. */
  ref?: Ref<HTMLButtonElement>
}

/** A rated song. Pressing the art plays it; the row of the current song is marked (people-28). */
export function RatedRow({ rated: { song, createdAt }, painted = true, ref }: RatedRowProps) {
  const { select } = usePlayback()
  const phase = usePlaybackState((state) => phaseOf(state, song.id))
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      aria-current={phase !== null || undefined}
      className="rated-row"
    >
      <button
        ref={ref}
        type="button"
        aria-label={`${phase === 'playing' ? 'Pause' : 'Play'} ${song.title}`}
        onClick={() => select(song, { announce: true })}
        className="group relative block size-14"
      >
        {painted && <AlbumArt title={song.title} art={song.albumArt} color={song.color} />}
        <span className="rated-mark">
          <PlaybackIcon phase={phase ?? 'paused'} className="size-5" />
        </span>
      </button>
      <span className="grid">
        <b dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
          {song.title}
        </b>
        <span className="line-clamp-2 text-xs text-ink-2 wrap-anywhere">
          <bdi>{song.artist}</bdi> · <span className="text-accent">{song.microgenre}</span>
        </span>
      </span>
      <span className="-my-1 flex flex-col items-end wide:flex-row-reverse wide:items-center wide:gap-2">
        <ElsewhereButton song={song} isOneOfMany />
        <time dateTime={createdAt} className="text-xs text-ink-3 tabular-nums">
          {painted && formatDate(createdAt)}
        </time>
      </span>
    </div>
  )
}
