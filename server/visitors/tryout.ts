import { randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { type getTryout, TRYOUT_SONGS } from '../../contract/visitors.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import {
  playsSurely,
  shuffledSongs,
  toVisitorSong,
  type VisitorSongRow,
  visitorSongColumns,
} from './visitorSong.ts'

/** Milliseconds for which a process remembers which microgenres are covered well. */
const LIST_LIFETIME = 60_000

/** Returns a function that reads the songs for a visitor. */
export function createTryouts() {
  const covered = new LRUCache<'keys', string[], Database>({
    max: 1,
    ttl: LIST_LIFETIME,
    allowStale: true,
    fetchMethod: (_, __, { context: db }) => listCoveredMicrogenres(db),
  })

  /** @throws HttpError 404 for an unknown microgenre, and where no song surely plays. */
  return async (
    db: Database,
    env: Env,
    microgenre: string | undefined,
  ): Promise<ResponseOf<typeof getTryout>> => {
    const keys = await covered.forceFetch('keys', { context: db })
    const key = microgenre ?? pick(keys)
    const songs = await db<VisitorSongRow[]>`
      select ${visitorSongColumns(db)} from microgenres m
      cross join ${shuffledSongs(db, randomInt(2 ** 31), TRYOUT_SONGS, playsSurely(db))}
      where m.key = ${key} and m.retired_at is null
      order by s.place`
    if (songs.length === 0) throw new HttpError(404, 'There is no such microgenre, or no song of it plays.')
    return {
      songs: songs.map((row) => toVisitorSong(row, env)),
      other: pick(keys.filter((one) => one !== key)),
    }
  }
}

const pick = (keys: readonly string[]) => keys[Math.floor(Math.random() * keys.length)] ?? null

/** Songs of a microgenre, the oldest, among which the list looks for those that play. */
const MAX_OLDEST = 200

/** The keys of those with enough songs that play; if there are none, of those with most. */
async function listCoveredMicrogenres(db: Database): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from (
      select m.key, c.songs, max(c.songs) over () as most
      from microgenres m cross join lateral (
        select count(*) as songs from (
          select from songs s where s.microgenre_id = m.id and s.seq < ${MAX_OLDEST} and ${playsSurely(db)} limit ${TRYOUT_SONGS}) s
      ) c
      where m.retired_at is null
    ) covered where songs = most`
  return rows.map(({ key }) => key)
}
