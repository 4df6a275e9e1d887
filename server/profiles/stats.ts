import type { Agreement } from '../../contract/profiles.ts'
import { MIN_LISTENERS } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { functions } from '../db/functions.ts'

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

/**
 * What the listener rated today in the given IANA time zone, and how long today lasts; an unknown zone counts as UTC
 * (discover-17).
 */
export async function getDailyStats(db: Database, listener: string, zone: string | undefined) {
  const tz = await resolveTimeZone(db, zone)
  const [row] = await db<{ dailyBangers: number; dailyRatings: number; secondsLeft: number }[]>`
    select count(*) filter (where banger)::int as daily_bangers, count(*)::int as daily_ratings,
      ${functions}.seconds_left(now(), ${tz})
    from (
      select banger from ratings
      where user_id = ${listener} and rated_at > '-infinity' and rated_at >= date_trunc('day', now(), ${tz})
      -- Only for this order, the index by time is the cheaper one to a planner that takes the table for empty.
      order by rated_at
    ) as today`
  return row ?? { dailyBangers: 0, dailyRatings: 0, secondsLeft: 1 }
}

/** Agreement is computed from at most this many ratings, the newest ones. */
const MAX_AGREEMENT_RATINGS = 10_000

/**
 * How often the listener agrees with the majority, by month (people-30). Songs with fewer than five raters and ties
 * do not count, and a month counts from five songs on (MIN_LISTENERS).
 */
export async function getAgreement(
  db: Database,
  listener: string,
  zone: string | undefined,
): Promise<Agreement[]> {
  const tz = await resolveTimeZone(db, zone)
  return db<Agreement[]>`
    select to_char(r.rated_at at time zone ${tz}, 'YYYY-MM') as month, count(*)::int as songs,
      count(*) filter (where r.banger = (2 * t.bangers > t.ratings))::int as agreed
    from (
      select song_id, banger, rated_at from ratings
      where user_id = ${listener} and rated_at > '-infinity' and pass > 0
        and rated_at >= date_trunc('month', now(), ${tz}) - interval '11 months'
      order by rated_at desc limit ${MAX_AGREEMENT_RATINGS}
    ) as r
    join song_totals t on t.song_id = r.song_id
    where t.ratings >= ${MIN_LISTENERS} and 2 * t.bangers <> t.ratings
    group by month having count(*) >= ${MIN_LISTENERS}
    order by month`
}

/** PostgreSQL's name of the zone, or UTC if it has none. It computes the days. */
export async function resolveTimeZone(db: Database, zone: string | undefined): Promise<string> {
  if (!zone) return 'UTC'
  findZone ??= readZones(db)
  return (await findZone)(zone) ?? 'UTC'
}

/** Read once, because PostgreSQL reads a file for each. */
let findZone: Promise<ReturnType<typeof createZoneFinder>> | undefined

async function readZones(db: Database) {
  try {
    const rows = await db<{ name: string }[]>`select coalesce(name, '') as name from pg_timezone_names`
    return createZoneFinder(rows.map(({ name }) => name))
  } catch (error) {
    findZone = undefined
    throw error
  }
}

/**
 * Finds a zone among these names. Browsers send old names, too, such as Asia/Calcutta for Asia/Kolkata, which the list
 * of a PostgreSQL may lack: another name of the same zone serves as well.
 */
export function createZoneFinder(names: readonly string[]): (zone: string) => string | undefined {
  const zones = new Map<string, string>()
  for (const name of names) zones.set(canonicalZoneName(name), name)
  for (const name of names) zones.set(name.toLowerCase(), name)
  return (zone) => zones.get(zone.toLowerCase()) ?? zones.get(canonicalZoneName(zone))
}

/** One name for all names of a zone, in lower case; the given one if Node does not know it. */
function canonicalZoneName(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone.toLowerCase()
  } catch {
    return zone.toLowerCase()
  }
}
