import type { VisitorSong } from '../../contract/visitors.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'

export type VisitorSongRow = SongRow & { microgenreKey: string }

/** Of `songs s` and `microgenres m`. */
export const visitorSongColumns = (db: Queryable) => db`${songColumns(db)}, m.key as microgenre_key`

export function toVisitorSong(row: VisitorSongRow, env: Env): VisitorSong {
  const { microgenre, color, ...song } = toSong(row, env)
  const { id, title, artist, albumArt, youtubeId, youtubeBlocked, audio } = song
  return {
    ...{ id, title, artist, albumArt, youtubeId, youtubeBlocked, audio },
    microgenre: { key: row.microgenreKey, name: microgenre, color },
  }
}

/** The first `max` songs of each of these microgenres, in an order that changes every day. */
export async function listSongsOfDay(
  db: Database,
  env: Env,
  keys: readonly string[],
  max: number,
): Promise<VisitorSong[]> {
  const placeOfDay = db`md5(s.id || current_date::text)`
  const rows = await db<VisitorSongRow[]>`
    select ${visitorSongColumns(db)} from microgenres m
    cross join lateral (
      select * from songs s where s.microgenre_id = m.id and s.retired_at is null
      order by ${placeOfDay} limit ${max}) s
    where m.key = any(${keys as string[]}) and m.retired_at is null
    order by ${placeOfDay}`
  return rows.map((row) => toVisitorSong(row, env))
}
