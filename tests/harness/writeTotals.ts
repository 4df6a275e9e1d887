import type { Database } from '../../server/db/connection.ts'

export interface KnownTotals {
  ratings: number
  bangers: number
}

/** Writes what is known of a microgenre's songs for choosing, in the order of the songs. */
export async function writeTotals(
  db: Database,
  genre: { id: string; songs: readonly string[] },
  totals: readonly KnownTotals[],
): Promise<void> {
  await db`
    insert into song_totals as t (song_id, dealt_ratings, dealt_bangers)
    select * from unnest(${genre.songs}::bigint[], ${totals.map(({ ratings }) => ratings)}::int[],
      ${totals.map(({ bangers }) => bangers)}::int[])
    on conflict (song_id) do update set
      dealt_ratings = excluded.dealt_ratings, dealt_bangers = excluded.dealt_bangers`
  await db`
    insert into microgenre_totals as t (microgenre_id, dealt_ratings, dealt_bangers)
    select ${genre.id}::bigint, sum(t.dealt_ratings), sum(t.dealt_bangers) from song_totals t
    where t.song_id = any(${genre.songs}::bigint[])
    on conflict (microgenre_id) do update set
      dealt_ratings = excluded.dealt_ratings, dealt_bangers = excluded.dealt_bangers`
}
