import { useQuery } from '@tanstack/react-query'
import { listTrending } from '../../contract/community.ts'
import { query } from '../api/query.ts'
import { PlayAll } from '../playback/PlayAll.tsx'
import { BoardRow } from './BoardRow.tsx'
import { PLACES, Ranking } from './Ranking.tsx'

/** The songs of the moment; each can be played, and all of them one after the other (community-19). */
export function TrendingBangers() {
  const list = useQuery({ ...query(listTrending), staleTime: 0 })
  return (
    <Ranking
      title="Trending Bangers"
      action={
        list.data && list.data.length > 0 && <PlayAll songs={() => list.data?.slice(0, PLACES) ?? []} />
      }
      list={list}
      empty="Nobody has found a banger yet. The first one could be yours."
      failure="The trending bangers did not load."
      row={(song, place) => (
        <BoardRow song={song} place={place}>
          {song.bangerCount.toLocaleString()}
          <span className="sr-only">{song.bangerCount === 1 ? ' banger' : ' bangers'}</span>
        </BoardRow>
      )}
    />
  )
}
