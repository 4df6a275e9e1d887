import { useQuery } from '@tanstack/react-query'
import { listTrending } from '../../contract/community.ts'
import { query } from '../api/query.ts'
import { BoardRow } from './BoardRow.tsx'
import { Ranking } from './Ranking.tsx'

export function TrendingBangers() {
  const list = useQuery({ ...query(listTrending), staleTime: 0 })
  return (
    <Ranking
      title="Trending Bangers"
      list={list}
      empty="Nobody has found a banger yet. The first one could be yours."
      failure="The trending bangers did not load."
      row={(song, place) => (
        <BoardRow song={song} place={place}>
          {song.bangerCount.toLocaleString()}
          <span className="sr-only"> bangers</span>
        </BoardRow>
      )}
    />
  )
}
