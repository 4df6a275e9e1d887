import { MIN_LISTENERS } from '../../contract/shapes.ts'
import type { MicrogenrePage } from '../../contract/visitors.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { listSongsOfDay } from './visitorSong.ts'

const MAX_BANGERS = 10

/** What a page plays in a day. */
const MAX_SONGS = 50

/** The page of a microgenre; null for an unknown or retired one. Asks no outside service (visitors-4). */
export async function readMicrogenrePage(
  db: Database,
  env: Env,
  key: string,
): Promise<MicrogenrePage | null> {
  // No key has other characters, and PostgreSQL refuses some.
  if (!/^[a-z0-9-]+$/.test(key)) return null
  const [microgenre] = await db<Omit<MicrogenrePage, 'songs'>[]>`
    select m.key, m.name, m.color, m.description,
      coalesce(
        (select json_agg(json_build_object('key', n.key, 'name', n.name, 'color', n.color) order by near.place)
         from microgenre_places p
         cross join unnest(p.near) with ordinality as near (id, place)
         join microgenres n on n.id = near.id and n.retired_at is null
         where p.microgenre_id = m.id),
        '[]') as near,
      coalesce(
        (select json_agg(json_build_object('title', b.title, 'artist', b.artist) order by b.place)
         from (
           select s.title, s.artist,
             row_number() over (order by t.bangers::float8 / t.ratings desc, t.ratings desc, s.id) as place
           from songs s join song_totals t on t.song_id = s.id
           where s.microgenre_id = m.id and s.retired_at is null and t.ratings >= ${MIN_LISTENERS}
             and 2 * t.bangers > t.ratings
           order by place limit ${MAX_BANGERS}) b),
        '[]') as bangers
    from microgenres m where m.key = ${key} and m.retired_at is null`
  return microgenre ? { ...microgenre, songs: await listSongsOfDay(db, env, [key], MAX_SONGS) } : null
}

/** The keys of the microgenres with something to hear. */
export async function listMicrogenreKeys(db: Database): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from microgenres where retired_at is null and live_song_count > 0 order by key`
  return rows.map(({ key }) => key)
}
