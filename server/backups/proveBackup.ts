import { rollUp } from '../community/rollUp.ts'
import { loadBackup } from '../db/backup/loadBackup.ts'
import { type ConnectionTarget, type Database, NO_STATEMENT_TIMEOUT, withDatabase } from '../db/connection.ts'

/**
 * Restores a backup into an empty database, and compares what is there with what was written: the rows of each table,
 * and all counts with the ratings.
 * @throws Error that says what is different, or why it cannot be restored.
 */
export async function proveBackup(
  file: string,
  written: Record<string, number>,
  scratch: ConnectionTarget,
): Promise<void> {
  await loadBackup(file, scratch)
  const compare = async (db: Database) => {
    const found = await countRows(db, Object.keys(written))
    const different = Object.entries(written).filter(([table, rows]) => found.get(table) !== rows)
    if (different.length > 0) {
      const list = different.map(
        ([table, rows]) => `${table} has ${found.get(table)} rows instead of ${rows}`,
      )
      throw new Error(`${list.join(', ')}.`)
    }
    await rollUp(db)
    const wrong = await countWrongTotals(db)
    if (wrong.length > 0) throw new Error(`The ratings do not add up to the totals of ${wrong.join(', ')}.`)
  }
  await withDatabase(scratch, compare, NO_STATEMENT_TIMEOUT)
}

async function countRows(db: Database, tables: string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const table of tables) {
    const [row] = await db<{ rows: number }[]>`select count(*)::float8 as rows from ${db(table)}`
    counts.set(table, row?.rows ?? 0)
  }
  return counts
}

/** What is wrong, such as '2 songs'. */
async function countWrongTotals(db: Database): Promise<string[]> {
  const kinds = await db<{ kind: string; wrong: number }[]>`
    with of_listeners as (
      select user_id, count(*) as ratings, count(*) filter (where banger) as bangers from ratings group by 1
    ), of_songs as (
      select song_id, count(*) as ratings, count(*) filter (where banger) as bangers from ratings group by 1
    ), of_microgenres as (
      select microgenre_id, count(*) as ratings, count(*) filter (where banger) as bangers from ratings group by 1
    )
    select 'listeners' as kind, count(*)::int as wrong
    from of_listeners r full join listener_stats t using (user_id)
    where coalesce(r.ratings, 0) <> coalesce(t.total_ratings, 0)
      or coalesce(r.bangers, 0) <> coalesce(t.total_bangers, 0)
    union all
    select 'songs', count(*)::int from of_songs r full join song_totals t using (song_id)
    where coalesce(r.ratings, 0) <> coalesce(t.ratings, 0) or coalesce(r.bangers, 0) <> coalesce(t.bangers, 0)
    union all
    select 'microgenres', count(*)::int from of_microgenres r full join microgenre_totals t using (microgenre_id)
    where coalesce(r.ratings, 0) <> coalesce(t.ratings, 0) or coalesce(r.bangers, 0) <> coalesce(t.bangers, 0)
    union all
    select 'communities', count(*)::int
    from (select count(*) as ratings, count(*) filter (where banger) as bangers from ratings) r
    cross join community_totals t
    where r.ratings <> t.ratings or r.bangers <> t.bangers`
  return kinds.flatMap(({ kind, wrong }) => (wrong > 0 ? [`${wrong} ${kind}`] : []))
}
