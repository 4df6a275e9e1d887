import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../server/db/connection.ts'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { openForProgram } from '../../server/db/openForProgram.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { type Env, readEnv } from '../../server/env.ts'
import { makeListener, makeMicrogenre } from '../factories.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpFolder.ts'
import { setUpService } from '../harness/setUpService.ts'

/* Connections cache their plans. The server's must not scan a whole table, because tables that are small now grow. */

const database = setUpDatabase()
const folder = setUpFolder()
const line = setUpService(() => startDatabaseProxy(database.target))
let env: Env
beforeAll(() => {
  // A pool of two is one connection for calls and one for the roll-up.
  env = readEnv({ NODE_ENV: 'test', DATABASE_URL: line.target, DATABASE_POOL: '2', DATA_DIR: folder })
})
const server = setUpService(() => openDatabase(env, () => {}))

test("the server's connections disable sequential scans and JIT; a program's allow both", async () => {
  const program = await openForProgram(env)
  try {
    for (const db of [server.db, server.background]) {
      expect(await settingsOf(db)).toEqual({ enableSeqscan: 'off', jit: 'off' })
    }
    expect(await settingsOf(program.db)).toMatchObject({ enableSeqscan: 'on' })
  } finally {
    await program.close()
  }
})

test('a rating whose plans were cached while the tables were small scans none of them', async () => {
  const { db } = server
  const genre = await makeMicrogenre(db, 8)
  const listener = await makeListener(db)
  // Otherwise PostgreSQL assumes ten pages for an empty table, and uses the index by itself.
  await db`analyze`
  const before = await wholeReads(db)
  for (const songId of genre.songs) {
    await rateSong(db, env, listener, { microgenreId: genre.id, songId, rating: 'banger' })
  }

  expect(await wholeReads(db)).toEqual(before)
})

test.each(['never', 'while it was empty'])(
  "a rating whose plans were cached while the table was small does not read the listener's other ratings (analyzed %s)",
  async (counted) => {
    const { db } = server
    await db`truncate ratings`
    await db.unsafe(counted === 'never' ? 'discard plans' : 'analyze ratings; discard plans')
    const genre = await makeMicrogenre(db, 200)
    const listener = await makeListener(db)
    const before = await readByIndex(db)
    for (const songId of genre.songs) {
      await rateSong(db, env, listener, { microgenreId: genre.id, songId, rating: 'banger' })
    }

    // Does the rating exist, does the next song's, and a check of songs rated ahead of their turn.
    expect((await readByIndex(db)) - before).toBeLessThan(4 * genre.songs.length)
  },
)

async function settingsOf(db: Database) {
  const [row] = await db`
    select current_setting('enable_seqscan') as enable_seqscan, current_setting('jit') as jit`
  return row
}

/** How often each table that a rating reads was scanned, up to this connection's last statement. */
async function wholeReads(db: Database) {
  await db`select pg_stat_force_next_flush()`
  return db`
    select relname, seq_scan from pg_stat_user_tables
    where relname in ('songs', 'song_totals', 'microgenres', 'microgenre_totals', 'ratings', 'not_now',
      'listener_stats', 'listener_genres', 'listener_hands', 'song_traits') order by relname`
}

/** How many index entries of ratings were read, up to this connection's last statement. */
async function readByIndex(db: Database): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ entries: number }[]>`
    select sum(idx_tup_read)::int as entries from pg_stat_user_indexes where relname = 'ratings'`
  return row?.entries ?? 0
}
