import type { VerificationStats } from '../../contract/diagnostics.ts'
import { type Tone, toneLook } from './Tag.tsx'

/** The six counters of a run (diagnostics-3). */
export function VerificationCounters({ stats }: { stats: VerificationStats }) {
  return (
    <dl className="grid grid-cols-3 border-y border-line wide:grid-cols-6">
      {counters.map(({ of, name, tone }) => (
        <div key={of} className="verification-counter">
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd
            className={`font-display text-xl font-extrabold tracking-[-0.02em] tabular-nums font-stretch-115% ${stats[of] > 0 ? toneLook(tone) : ''}`}
          >
            {stats[of].toLocaleString()}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const counters: { of: keyof VerificationStats; name: string; tone: Tone }[] = [
  { of: 'total', name: 'Total', tone: 'plain' },
  { of: 'accessible', name: 'Accessible', tone: 'good' },
  { of: 'blocked', name: 'Blocked', tone: 'poor' },
  { of: 'missing', name: 'Missing', tone: 'fair' },
  { of: 'goodMatches', name: 'Good Matches', tone: 'plain' },
  { of: 'poorMatches', name: 'Poor Matches', tone: 'plain' },
]
