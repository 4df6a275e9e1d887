import { getDailyStats } from '../../../contract/profiles.ts'
import { query } from '../../api/query.ts'

export const pageTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** When a day is over, by both clocks: one may be set meanwhile, the other may stand still while a laptop sleeps. */
interface DayEnd {
  clock: number
  monotonic: number
}

/** What the listener rated today, by the page's time zone and the server's clock, and when today ends (discover-17). */
export function todayQuery() {
  const { queryKey, queryFn } = query(getDailyStats, { query: { tz: pageTimeZone() } })
  return {
    queryKey,
    async queryFn(context: { signal: AbortSignal }) {
      const { secondsLeft, ...figures } = await queryFn(context)
      const remaining = secondsLeft * 1000
      const dayEnd: DayEnd = { clock: Date.now() + remaining, monotonic: performance.now() + remaining }
      return { ...figures, ends: dayEnd }
    },
  }
}

export const isDayOver = ({ clock, monotonic }: DayEnd) =>
  Date.now() >= clock || performance.now() >= monotonic
