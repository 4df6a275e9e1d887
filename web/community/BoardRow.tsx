import type { ReactNode } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { PlayArt, SongNames } from '../playback/SongParts.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { Place } from './Ranking.tsx'

/** A song of a board, which can be played (community-19). `children` is its figure. */
export function BoardRow({ song, place, children }: { song: Song; place: number; children: ReactNode }) {
  const phase = usePlaybackState((state) => phaseOf(state, song.id))
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      className="grid min-h-16 grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3.5"
    >
      <Place>{place}</Place>
      <PlayArt song={song} phase={phase} className="size-12">
        <span className="absolute bottom-0 left-0 bg-paper p-1">
          <PlaybackIcon phase={phase ?? 'paused'} className="size-4" />
        </span>
      </PlayArt>
      <SongNames song={song} />
      <span className="text-ink-2 tabular-nums">{children}</span>
    </div>
  )
}
