import { getDailyStats } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'

export const zoneOfPage = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the listener rated today, by the page's time zone (discover-17). */
export const todayQuery = () => query(getDailyStats, { query: { tz: zoneOfPage() } })
