import { useQuery } from '@tanstack/react-query'
import { listMicrogenreStats } from '../../contract/community.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import { query } from '../api/query.ts'
import { raiseMicrogenreSelected } from '../discovery/microgenreSelected.ts'
import { Place, Ranking } from './Ranking.tsx'

/** Microgenres by bangers of all listeners. Choosing one opens it in the player. */
export function Leaderboard() {
  const list = useQuery({ ...query(listMicrogenreStats), staleTime: 0, select: withBangers })
  const most = Math.max(1, ...(list.data ?? []).map(({ bangerCount }) => bangerCount))
  return (
    <Ranking
      title="Microgenre Leaderboard"
      list={list}
      empty="No microgenre has a banger yet."
      failure="The leaderboard did not load."
      row={(microgenre, place) => (
        <LeaderboardRow microgenre={microgenre} place={place} share={microgenre.bangerCount / most} />
      )}
    />
  )
}

/** A microgenre without bangers is not ranked. */
const withBangers = (microgenres: Microgenre[]) => microgenres.filter(({ bangerCount }) => bangerCount > 0)

function LeaderboardRow(props: { microgenre: Microgenre; place: number; share: number }) {
  const { id, name, color, bangerCount } = props.microgenre
  return (
    <button
      type="button"
      data-genre=""
      style={{ '--genre': color }}
      onClick={() => raiseMicrogenreSelected(id)}
      className="grid min-h-16 w-full grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3.5 text-left hover:bg-raised focus-visible:-outline-offset-2"
    >
      <Place>{props.place}</Place>
      <span aria-hidden="true" className="size-3 rounded-full bg-accent" />
      <span className="grid gap-1.5">
        <b dir="auto" className="font-semibold wrap-anywhere">
          {name}
        </b>
        <span
          aria-hidden="true"
          className="h-1.5 rounded-[1px] bg-accent"
          style={{ width: `${props.share * 100}%` }}
        />
      </span>
      <span className="text-ink-2 tabular-nums">
        {bangerCount.toLocaleString()}
        <span className="sr-only">{bangerCount === 1 ? ' banger' : ' bangers'}</span>
      </span>
    </button>
  )
}
