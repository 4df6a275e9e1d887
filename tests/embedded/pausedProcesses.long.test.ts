import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { getCommunityStats } from '../../contract/community.ts'
import { getNextSong, listMicrogenres } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { newToken } from '../../server/auth/tokens.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { connect } from '../../server/db/connection.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { makeMicrogenre, writeRatings } from '../factories.ts'
import { request } from '../harness/request.ts'
import { pathOf } from '../harness/visitor.ts'
import { makeDataDir, runTypeScript } from './owners.ts'

/** A statement timeout shorter than a pause, both in milliseconds, so that each pause ends running statements. */
const STATEMENT_TIMEOUT = 70
const STOP_DURATION = 85
/** Milliseconds between two pauses, so that responses can complete. */
const CALM_DURATION = 20
/** The number of pauses, and the milliseconds after which a busy machine stops earlier. */
const STOP_COUNT = 100
const MAX_DURATION = 12_000
const CALLERS = 16
/** Several, because the long lists of one listener are limited. Each has more songs than a short list. */
const LISTENERS = 25
const SONGS = 600
/** Most calls during the pauses, on a fast machine. */
const CALLS = 20_000
const SESSIONS = CALLS + 5000

test('while the server or its database is paused, each response is correct or a 503', async () => {
  const { url, calls, newSession, stopServer, stopDatabase } = await setUp()
  let requestCount = 0
  const ask = (path: string, listener: number) => {
    const n = requestCount++
    return request(`${url}${path}`, {
      // A session that the server has not cached, and a network of its own, because calls of one network are limited.
      headers: {
        cookie: `session=${newSession(listener)}`,
        'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      },
    })
  }
  const callUntilAnswered = async (path: string, listener: number) => {
    for (;;) {
      const { status, text } = await ask(path, listener)
      // On a busy machine the short timeout can still be too short.
      if (status !== 503 && status !== 429) return text
    }
  }
  const answersOfAll = async () => {
    const answers: string[][] = []
    for (let listener = 0; listener < LISTENERS; listener++) {
      const own: string[] = []
      for (const path of calls) own.push(await callUntilAnswered(path, listener))
      answers.push(own)
    }
    return answers
  }
  const right = await answersOfAll()
  expect(new Set(right.map((own) => own[0]))).toHaveLength(LISTENERS)

  const counts = { right: 0, refused: 0 }
  const wrong: string[] = []
  let isOver = false
  const last = requestCount + CALLS
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let turn = caller; !isOver && requestCount < last; turn++) {
      const call = turn % calls.length
      const listener = turn % LISTENERS
      const path = calls[call] ?? ''
      const { status, headers, text } = await ask(path, listener)
      if (status === 200 && text === right[listener]?.[call]) counts.right++
      // 429: the long lists of a listener are written one at a time.
      else if ((status === 503 || status === 429) && headers['retry-after']) counts.refused++
      else wrong.push(`${path}: ${status} ${text.slice(0, 200)}`)
    }
  })
  const all = Promise.all(callers).finally(() => {
    isOver = true
  })
  const since = Date.now()
  for (let n = 0; n < STOP_COUNT && Date.now() - since < MAX_DURATION && !isOver; n++) {
    for (const stop of [stopServer, stopDatabase]) {
      await stop(STOP_DURATION)
      await wait(CALM_DURATION)
    }
  }
  isOver = true
  await all

  expect(wrong).toEqual([])
  expect(counts.right).toBeGreaterThan(0)
  expect(counts.refused).toBeGreaterThan(0)
  expect(await answersOfAll()).toEqual(right)
})

/** Listeners with long libraries, on a new server and database. */
async function setUp() {
  const dataDir = await makeDataDir()
  const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  await migrateDatabase(embedded.connection)
  const db = connect(embedded.connection, { max: 1 })
  await db`set statement_timeout = 0`
  const listeners = await db<{ id: string }[]>`
    with made as (
      insert into users (email) select 'listener' || n || '@example.test' from generate_series(1, ${LISTENERS}) n
      returning id)
    insert into listener_stats (user_id) select id from made returning user_id as id`
  const genre = await makeMicrogenre(db, SONGS + 100)
  for (const { id } of listeners) await writeRatings(db, id, genre.songs.slice(0, SONGS), () => true)
  await rollUp(db)
  await db`analyze`
  const sessions = listeners.map(() => Array.from({ length: SESSIONS / LISTENERS }, newToken))
  for (const [listener, { id }] of listeners.entries())
    await db`
      insert into sessions (token_hash, user_id, expires_at)
      select sha256(token::bytea), ${id}, now() + interval '1 day'
      from unnest(${sessions[listener] ?? []}::text[]) token`
  await db.end({ timeout: 5 })

  const { host, port, database, username } = embedded.connection
  const address = `postgres://${username}@/${database}?host=${host}&port=${port}&statement_timeout=${STATEMENT_TIMEOUT}`
  const server = runTypeScript('serverProgram.ts', [address])
  onTestFinished(() => embedded.stop())
  const [url] = (await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ]
  return {
    url,
    calls: [getCurrentUser, listRatings, getMyStats, getCommunityStats, listMicrogenres, listRatings]
      .map((endpoint) => pathOf(endpoint))
      .concat(pathOf(getNextSong, { params: { id: genre.id } })),
    newSession: (listener: number) => {
      const session = sessions[listener]?.pop()
      if (!session) throw new Error('There are no more sessions.')
      return session
    },
    async stopServer(milliseconds: number) {
      server.kill('SIGSTOP')
      await wait(milliseconds)
      server.kill('SIGCONT')
    },
    async stopDatabase(milliseconds: number) {
      const processes = (await findProcesses(path.join(dataDir, 'postgres'))) ?? []
      for (const pid of processes) process.kill(pid, 'SIGSTOP')
      await wait(milliseconds)
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    },
  }
}
