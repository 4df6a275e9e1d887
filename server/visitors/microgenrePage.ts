import { LRUCache } from 'lru-cache'
import { MIN_LISTENERS } from '../../contract/shapes.ts'
import type { MicrogenrePage } from '../../contract/visitors.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { listSongsOfDay } from './visitorSong.ts'

const MAX_BANGERS = 10

/** What a page plays in a day. */
const MAX_SONGS = 50

/** Milliseconds for which a process remembers the list of a microgenre. Making it reads all songs of the microgenre. */
const BANGERS_LIFETIME = 600_000

/** By the microgenre's id. */
const agreedBangers = new LRUCache<string, MicrogenrePage['bangers'], Database>({
  max: 1000,
  ttl: BANGERS_LIFETIME,
  fetchMethod: (id, _, { context: db }) => db<MicrogenrePage['bangers']>`
    select s.title, s.artist from songs s join song_totals t on t.song_id = s.id
    where s.microgenre_id = ${id} and s.retired_at is null and t.ratings >= ${MIN_LISTENERS}
      and 2 * t.bangers > t.ratings
    order by t.bangers::float8 / t.ratings desc, t.ratings desc, s.id limit ${MAX_BANGERS}`,
})

/** Null for an unknown or retired one. */
export async function readMicrogenre(db: Database, key: string) {
  // No key has other characters, and PostgreSQL refuses some.
  if (!/^[a-z0-9-]+$/.test(key)) return null
  type Row = { id: string; key: string; name: string; color: string; description: string }
  const [microgenre] = await db<Row[]>`
    select id, key, name, color, description from microgenres where key = ${key} and retired_at is null`
  return microgenre ?? null
}

/** The page of a microgenre; null for an unknown or retired one. Asks no outside service (visitors-4). */
export async function readMicrogenrePage(
  db: Database,
  env: Env,
  key: string,
): Promise<MicrogenrePage | null> {
  const microgenre = await readMicrogenre(db, key)
  if (!microgenre) return null
  const { id } = microgenre
  const [near, bangers, songs] = await Promise.all([
    db<MicrogenrePage['near']>`
      select n.key, n.name, n.color from microgenre_places p
      cross join unnest(p.near) with ordinality as near (id, place)
      join microgenres n on n.id = near.id and n.retired_at is null
      where p.microgenre_id = ${id} order by near.place`,
    agreedBangers.forceFetch(id, { context: db }),
    listSongsOfDay(db, env, [key], MAX_SONGS),
  ])
  return { ...microgenre, near, bangers, songs }
}

/** The keys of the microgenres with something to hear. */
export async function listMicrogenreKeys(db: Database): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from microgenres where retired_at is null and live_song_count > 0 order by key`
  return rows.map(({ key }) => key)
}
