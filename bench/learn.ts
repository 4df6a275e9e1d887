import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeAchievementRules } from '../server/achievements/rules.ts'
import { connect, type Database } from '../server/db/connection.ts'
import { embeddedConnection } from '../server/db/embedded/embeddedConnection.ts'
import { startEmbedded } from '../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { nextSongs } from '../server/discovery/nextSongs.ts'
import { rateSong } from '../server/discovery/rateSong.ts'
import { readEnv } from '../server/env.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { makeListener, makeMicrogenre } from '../tests/factories.ts'
import { catalogueProgram } from './measure/catalogueProgram.ts'
import { finish, judge, setting } from './measure/goals.ts'
import { quantile } from './measure/spread.ts'

/* `npm run learn` on very many ratings, and ratings meanwhile. See README.md. */

const RATINGS = setting('BENCH_RATINGS', 10_000_000)
const SONGS = Math.max(1000, RATINGS / 10)
const PER_LISTENER = 100
const GENRES = 100

/** Goals: seconds, MiB, and ms of a rating meanwhile at p99. */
const MOST = { seconds: 60, memory: 300, p99: 50 }

/** Listeners whose ratings one statement writes. */
const AT_ONCE = 5000

const env = readEnv({})
const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-learn-'))
const dataDir = path.join(folder, 'data')
try {
  const started = performance.now()
  await prepare()
  console.log(`Ratings written in ${((performance.now() - started) / 1000).toFixed(0)} s.`)
  const app = await startTestServer({ DATA_DIR: dataDir })
  try {
    console.log(`${RATINGS.toLocaleString('en')} ratings of ${SONGS.toLocaleString('en')} songs.`)
    // As the server connects.
    const db = connect(await embeddedConnection(app.dataDir), { max: 1, lookups: true })
    const rater = await makeRater(db)
    judge('p99 of a rating before, ms', await rateUntil(rater, wait(5000)))
    const program = catalogueProgram(folder, { NODE_ENV: 'test' }, 'learn')
    for (const what of ['the first run', 'the next run']) {
      const running = program.run([])
      const meanwhile = await rateUntil(rater, running)
      const { seconds, peak, program: own, database, output } = await running
      console.log(output.trim())
      judge(`${what}, s`, seconds, { most: MOST.seconds })
      judge(`${what}, memory of the program, MiB`, peak, { most: MOST.memory })
      judge(`${what}, CPU of the program, s`, own)
      judge(`${what}, CPU of the database, s`, database)
      judge(`${what}, p99 of a rating meanwhile, ms`, meanwhile, { most: MOST.p99 })
      judge(`${what}, put in place`, Number(output.includes('It is in place.')), { least: 1 })
    }
    await db.end({ timeout: 5 })
  } finally {
    await app.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
finish()

async function prepare(): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  try {
    await migrateDatabase(embedded.connection)
    const settings = { statement_timeout: '0', synchronous_commit: 'off', work_mem: '256MB' }
    const db = connect(embedded.connection, { max: 1, settings })
    await writeAchievementRules(db)
    await fill(db)
    await db.end({ timeout: 5 })
  } finally {
    await embedded.stop()
    // Or the disk would still be busy with the ratings.
    await promisify(execFile)('sync')
  }
}

/** Two kinds of listeners and of songs: of their own kind, listeners bang six of ten songs, of the other two. */
async function fill(db: Database): Promise<void> {
  const listeners = RATINGS / PER_LISTENER
  await db`
    insert into microgenres
      (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
    select 'learn-' || g, 'Learn ' || g, 'Learn', 'Songs of a bench.', '#4ecdc4', '{}', '{}', '{}', '{}',
      ${SONGS / GENRES}::int, ${SONGS / GENRES}::int
    from generate_series(0, ${GENRES - 1}::int) g`
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist)
    select 'learn/' || n, 'import', m.id, n / ${GENRES}::int, 'Song ' || n, 'Artist ' || n
    from generate_series(0, ${SONGS - 1}::int) n join microgenres m on m.key = 'learn-' || n % ${GENRES}::int`
  await db`
    insert into users (email) select 'learn-' || n || '@example.test' from generate_series(1, ${listeners}::int) n`
  await db`
    insert into listener_stats (user_id, total_ratings) select id, ${PER_LISTENER}::int from users`
  for (let from = 0; from < listeners; from += AT_ONCE) {
    await db`
      with first as (
        select (select min(id) from users) as listener, (select min(id) from songs where source = 'import') as song
      )
      insert into ratings (user_id, song_id, microgenre_id, banger, pass, rated_at, heard_seconds, heard_source,
        dealt_number, dealt_reason)
      select first.listener + l, s.id, s.microgenre_id,
        hashint8(l * ${PER_LISTENER}::bigint + k) & 1023 < case (hashint8(s.id) + l) & 1 when 0 then 614 else 205 end,
        1, now() - k * interval '1 minute', 20, 'preview', k, 1
      from first cross join generate_series(${from}::bigint, ${Math.min(from + AT_ONCE, listeners) - 1}::bigint) l
      cross join generate_series(0, ${PER_LISTENER - 1}::int) k
      join songs s on s.id = first.song + (l * 48271 + k * 997) % ${SONGS}::bigint`
  }
  await db`vacuum analyze`
}

/** Rates one song after the other and gives the milliseconds that it took. */
async function makeRater(db: Database): Promise<() => Promise<number>> {
  const listener = await makeListener(db)
  const genre = await makeMicrogenre(db, 5000)
  let [song] = await nextSongs(db, env, listener, genre.id, 1)
  return async () => {
    const started = performance.now()
    const rated = { microgenreId: genre.id, songId: song?.id ?? '', rating: 'bust' } as const
    const { nextSong } = await rateSong(db, env, listener, rated)
    song = nextSong ?? song
    return performance.now() - started
  }
}

/** One rating every 20 ms until `ends`. Gives p99. */
async function rateUntil(rate: () => Promise<number>, ends: Promise<unknown>): Promise<number> {
  let isOver = false
  void ends.finally(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver) {
    const took = await rate()
    times.push(took)
    await wait(Math.max(0, 20 - took))
  }
  return quantile(times, 0.99)
}
