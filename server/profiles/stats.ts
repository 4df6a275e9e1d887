import type { Database } from '../db/connection.ts'

/** A listener's totals. The favourite is the microgenre with the most bangers, ties by name. */
export async function getStats(db: Database, listener: string) {
  const [row] = await db<{ totalBangers: number; totalRatings: number; favoriteMicrogenre: string | null }[]>`
    select s.total_bangers, s.total_ratings,
      (select m.name from listener_genres g join microgenres m on m.id = g.microgenre_id
       where g.user_id = s.user_id and g.bangers > 0
       order by g.bangers desc, m.name limit 1) as favorite_microgenre
    from listener_stats s where s.user_id = ${listener}`
  return row ?? { totalBangers: 0, totalRatings: 0, favoriteMicrogenre: null }
}

/** What the listener rated today in the given IANA time zone; an unknown zone counts as UTC (discover-17). */
export async function getDailyStats(db: Database, listener: string, zone: string | undefined) {
  const tz = zone && isTimeZone(zone) ? zone : 'UTC'
  const [row] = await db<{ dailyBangers: number; dailyRatings: number }[]>`
    select count(*) filter (where banger)::int as daily_bangers, count(*)::int as daily_ratings
    from ratings
    where user_id = ${listener} and rated_at > '-infinity' and rated_at >= date_trunc('day', now(), ${tz})`
  return row ?? { dailyBangers: 0, dailyRatings: 0 }
}

/**
 * By any of its names: browsers send Asia/Kolkata or Asia/Calcutta. Offsets are rejected, because PostgreSQL inverts
 * their sign.
 */
function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
