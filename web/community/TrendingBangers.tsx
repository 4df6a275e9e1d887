import { useQuery } from '@tanstack/react-query'
import { listTrending, type TrendingSong } from '../../contract/community.ts'
import { query } from '../api/query.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { Place, Ranking } from './Ranking.tsx'

export function TrendingBangers() {
  const list = useQuery({ ...query(listTrending), staleTime: 0 })
  return (
    <Ranking
      title="Trending Bangers"
      list={list}
      empty="Nobody has found a banger yet. The first one could be yours."
      failure="The trending bangers did not load."
      row={(song, place) => <TrendingRow song={song} place={place} />}
    />
  )
}

function TrendingRow({ song, place }: { song: TrendingSong; place: number }) {
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      className="grid min-h-16 grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3.5"
    >
      <Place>{place}</Place>
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
      <span className="text-ink-2 tabular-nums">
        {song.bangerCount.toLocaleString()}
        <span className="sr-only"> bangers</span>
      </span>
    </div>
  )
}
