import type { ReactNode } from 'react'
import type { TrendingSong } from '../../contract/community.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { Place } from './Ranking.tsx'

/** A song's row in a ranking; `children` is its figure. */
export function BoardRow(props: {
  song: Omit<TrendingSong, 'bangerCount'>
  place: number
  children: ReactNode
}) {
  const { song } = props
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      className="grid min-h-16 grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3.5"
    >
      <Place>{props.place}</Place>
      <span className="block size-12">
        <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
      </span>
      <span className="grid">
        <b dir="auto" className="line-clamp-2 font-semibold wrap-anywhere">
          {song.title}
        </b>
        <span className="line-clamp-2 text-xs text-ink-2">
          <bdi>{song.artist}</bdi> · <span className="text-accent">{song.microgenre}</span>
        </span>
      </span>
      <span className="text-ink-2 tabular-nums">{props.children}</span>
    </div>
  )
}
