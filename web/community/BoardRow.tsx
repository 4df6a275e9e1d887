import type { ReactNode } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { Place } from './Ranking.tsx'

/** A song of a board, which can be played (community-19). `children` is its figure. */
export function BoardRow({ song, place, children }: { song: Song; place: number; children: ReactNode }) {
  const { select } = usePlayback()
  const phase = usePlaybackState((state) => phaseOf(state, song.id))
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      className="grid min-h-16 grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3.5"
    >
      <Place>{place}</Place>
      <button
        type="button"
        aria-label={`${phase === 'playing' ? 'Pause' : 'Play'} ${song.title}`}
        onClick={() => select(song, { announce: true })}
        className="relative block size-12"
      >
        <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
        <span className="absolute bottom-0 left-0 bg-paper p-1">
          <PlaybackIcon phase={phase ?? 'paused'} className="size-4" />
        </span>
      </button>
      <span className="grid">
        <b dir="auto" className="line-clamp-2 font-semibold wrap-anywhere">
          {song.title}
        </b>
        <span className="line-clamp-2 text-xs text-ink-2">
          <bdi>{song.artist}</bdi> · <span className="text-accent">{song.microgenre}</span>
        </span>
      </span>
      <span className="text-ink-2 tabular-nums">{children}</span>
    </div>
  )
}
