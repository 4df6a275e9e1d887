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
        <LoadFailure onRetry={refetch}>The music stats did not load.</LoadFailure>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] border-y border-line wide:grid-cols-[auto_auto_minmax(0,1fr)]">
          <Stat name="Bangers" tone="text-hot text-[1.625rem]/8">
            {data?.totalBangers.toLocaleString() ?? '–'}
          </Stat>
          <Stat name="Songs rated" tone="text-[1.625rem]/8">
            {data?.totalRatings.toLocaleString() ?? '–'}
          </Stat>
          <Stat
            name="Favourite"
            tone="text-[1.125rem]/8 wrap-break-word"
            className="max-wide:col-span-2 max-wide:border-t max-wide:border-l-0 max-wide:pl-0"
          >
            {data ? (data.favoriteMicrogenre ?? 'None yet') : '–'}
          </Stat>
        </dl>
      )}
    </section>
  )
}

interface StatProps {
  name: string
  tone: string
  className?: string
  children: ReactNode
}

function Stat({ name, tone, className = '', children }: StatProps) {
  return (
    <div
      className={`flex flex-col-reverse border-l border-line py-2.5 pr-4 pl-4 first:border-l-0 first:pl-0 ${className}`}
    >
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className={`font-display font-extrabold tabular-nums font-stretch-115% ${tone}`}>{children}</dd>
    </div>
  )
}
