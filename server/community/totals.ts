import type { DividedSong, TrendingSong } from '../../contract/community.ts'
import type { Microgenre, Room } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'

/** Rows of a list; the page shows the first five (community-6). */
const LIST_SIZE = 20

export async function getCommunityStats(db: Database) {
  const [row] = await db<{ totalBangers: number; activeUsers: number; totalRatings: number }[]>`
    select bangers::float8 as total_bangers, active_users, ratings::float8 as total_ratings from community_totals`
  return row ?? { totalBangers: 0, activeUsers: 0, totalRatings: 0 }
}

/** By bangers of the last 30 days, then of all time, then the most recent one (community-4). */
export async function listTrending(db: Database, env: Env): Promise<TrendingSong[]> {
  const rows = await db<(SongRow & { bangerCount: number })[]>`
    select ${songColumns(db)}, t.bangers as banger_count
    from song_totals t
    join songs s on s.id = t.song_id and s.retired_at is null
    join microgenres m on m.id = s.microgenre_id
    where t.bangers > 0
    order by t.recent_bangers desc, t.bangers desc, t.last_banger_at desc
    limit ${LIST_SIZE}`
  return rows.map((row) => ({ ...toSong(row, env), bangerCount: row.bangerCount }))
}

/**
 * Songs closest to half bangers, half busts, then with most raters (community-18). The five is MIN_LISTENERS, written
 * out to match the partial index `song_totals_divided`. Only listeners who rated a song in this pass get its figures
 * (community-17).
 */
export async function listDivided(db: Database, env: Env, listener: string): Promise<DividedSong[]> {
  const rows = await db<(SongRow & Room & { isRated: boolean })[]>`
    select ${songColumns(db)}, t.ratings as listeners, t.bangers, exists (
        select from ratings r join listener_genres g on g.user_id = r.user_id
          and g.microgenre_id = r.microgenre_id and g.pass = r.pass
        where r.user_id = ${listener} and r.song_id = t.song_id
      ) as is_rated
    from song_totals t
    join songs s on s.id = t.song_id and s.retired_at is null
    join microgenres m on m.id = s.microgenre_id
    where t.ratings >= 5
    order by abs(2 * t.bangers - t.ratings)::float8 / t.ratings, t.ratings desc
    limit ${LIST_SIZE}`
  return rows.map((row) => ({
    ...toSong(row, env),
    room: row.isRated ? { listeners: row.listeners, bangers: row.bangers } : null,
  }))
}

export async function listMicrogenreStats(db: Database): Promise<Microgenre[]> {
  return db`
    select m.id, m.name, m.description, m.color, m.live_song_count as song_count,
      coalesce(t.bangers, 0) as banger_count
    from microgenres m left join microgenre_totals t on t.microgenre_id = m.id
    where m.retired_at is null
    order by banger_count desc, lower(m.name)
    limit ${LIST_SIZE}`
}
