import type { FoundMicrogenre } from '../../contract/foundMicrogenres.ts'
import { readExamples } from '../catalogue/growth/foundMicrogenres.ts'
import type { Queryable } from '../db/connection.ts'

/** The genres that may become microgenres, as the desk shows them, by id (desk-26). */
export async function readFoundMicrogenres(
  db: Queryable,
  ids: string[],
): Promise<Map<string, FoundMicrogenre>> {
  if (ids.length === 0) return new Map()
  const rows = await db<Omit<FoundMicrogenre, 'examples'>[]>`
    select f.id, f.name, f.family, m.name as near, m.color,
      coalesce((select count(distinct g.song_key) from found_microgenre_songs g
        where g.genre_key = f.genre_key), 0)::int as songs,
      coalesce((select count(distinct g.artist_mbid) from found_microgenre_songs g
        where g.genre_key = f.genre_key), 0)::int as artists
    from found_microgenres f join microgenres m on m.id = f.near_id
    where f.id = any(${ids}::bigint[])`
  const examples = await readExamples(db, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        examples: examples
          .filter(({ genreId }) => genreId === row.id)
          .map(({ recordingMbid, title, artist, year }) => ({ recordingMbid, title, artist, year })),
      },
    ]),
  )
}
