import { useQuery } from '@tanstack/react-query'
import { listDivided } from '../../contract/community.ts'
import { query } from '../api/query.ts'
import { percentOf } from '../discovery/room.ts'
import { BoardRow } from './BoardRow.tsx'
import { Ranking } from './Ranking.tsx'

/** The songs nearest to half bangers, half busts: how near is for those who have rated them (community-17). */
export function DividedSongs() {
  const list = useQuery({ ...query(listDivided), staleTime: 0 })
  return (
    <Ranking
      title="Most Divided Songs"
      list={list}
      empty="No song has five ratings yet."
      failure="The most divided songs did not load."
      row={(song, place) => (
        <BoardRow song={song} place={place}>
          {song.room ? (
            <>
              {percentOf('banger', song.room)} %
              <span className="sr-only">{` bangers of ${song.room.listeners.toLocaleString()} listeners`}</span>
            </>
          ) : (
            <span className="text-xs text-ink-3">Rate it to see</span>
          )}
        </BoardRow>
      )}
    />
  )
}
