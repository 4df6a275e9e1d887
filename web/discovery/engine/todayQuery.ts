import { getDailyStats } from '../../../contract/profiles.ts'
import { query } from '../../api/query.ts'

export const pageTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The end by two clocks: the wall clock may be set, and the monotonic one may stop while a laptop sleeps. */
interface DayEnd {
  wallClock: number
  monotonic: number
}

/** What the listener rated today, in the page's time zone, and when today ends by the server's clock (discover-17). */
export function todayQuery() {
  const { queryKey, queryFn } = query(getDailyStats, { query: { tz: pageTimeZone() } })
  return {
    queryKey,
    async queryFn(context: { signal: AbortSignal }) {
      const { secondsLeft, ...figures } = await queryFn(context)
      const remaining = secondsLeft * 1000
      const dayEnd: DayEnd = { wallClock: Date.now() + remaining, monotonic: performance.now() + remaining }
      return { ...figures, ends: dayEnd }
    },
  }
}

export const isDayOver = ({ wallClock, monotonic }: DayEnd) =>
  Date.now() >= wallClock || performance.now() >= monotonic
