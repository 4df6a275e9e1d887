import type { ReactNode } from 'react'
import type { ListenerStats } from '../../contract/profiles.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'

interface MusicStatsProps {
  stats: { data: ListenerStats | undefined; isError: boolean; refetch: () => unknown }
}

/** A listener's totals and the microgenre with most of their bangers. */
export function MusicStats({ stats: { data, isError, refetch } }: MusicStatsProps) {
  return (
    <section aria-label="Music Stats" className="grid gap-2">
      <h3>Music Stats</h3>
      {isError && !data ? (
        <LoadFailure onRetry={() => void refetch()}>The music stats did not load.</LoadFailure>
      ) : (
        <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,auto)_minmax(6rem,1fr)] border-y border-line">
          <Stat name="Bangers" tone="text-hot text-[1.625rem]/8">
            {data?.totalBangers.toLocaleString() ?? '–'}
          </Stat>
          <Stat name="Songs rated" tone="text-[1.625rem]/8">
            {data?.totalRatings.toLocaleString() ?? '–'}
          </Stat>
          <Stat name="Favourite" tone="text-[1.125rem]/8 wrap-break-word">
            {data ? (data.favoriteMicrogenre ?? 'None yet') : '–'}
          </Stat>
        </dl>
      )}
    </section>
  )
}

function Stat({ name, tone, children }: { name: string; tone: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse border-l border-line py-2.5 pr-4 pl-4 first:border-l-0 first:pl-0">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className={`font-display font-extrabold tabular-nums font-stretch-115% ${tone}`}>{children}</dd>
    </div>
  )
}
