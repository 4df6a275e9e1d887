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
const STOP = 85
/** Milliseconds between two pauses, so that responses can complete. */
const CALM = 20
/** The number of pauses, and the milliseconds after which a busy machine stops earlier. */
const STOPS = 100
const LONGEST = 12_000
const CALLERS = 16
/** More than the test uses. */
const SESSIONS = 20_000

test('while the server or its database is paused, each response is correct or a 503', {
  timeout: 120_000,
}, async () => {
  const { url, calls, newSession, stopServer, stopDatabase } = await setUp()
  const ask = async (path: string, n: number) =>
    request(`${url}${path}`, {
      // A session that the server has not cached, and a network of its own, because calls of one network are limited.
      headers: {
        cookie: `session=${newSession()}`,
        'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      },
    })
  let asked = 0
  const askUntilAnswered = async (path: string) => {
    for (;;) {
      const { status, text } = await ask(path, asked++)
      // On a busy machine the short timeout can still be too short.
      if (status !== 503 && status !== 429) return text
    }
  }
  const right = new Map<string, string>()
  for (const path of calls) right.set(path, await askUntilAnswered(path))

  const counts = { right: 0, refused: 0 }
  const wrong: string[] = []
  let isOver = false
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let turn = caller; !isOver; turn++) {
      const path = calls[turn % calls.length] ?? ''
      const { status, headers, text } = await ask(path, asked++)
      if (status === 200 && text === right.get(path)) counts.right++
      // 429: all callers are one listener, whose long lists are written one at a time.
      else if ((status === 503 || status === 429) && headers['retry-after']) counts.refused++
      else wrong.push(`${path}: ${status} ${text.slice(0, 200)}`)
    }
  })
  const all = Promise.all(callers).finally(() => {
    isOver = true
  })
  const since = Date.now()
  for (let n = 0; n < STOPS && Date.now() - since < LONGEST && !isOver; n++) {
    for (const stop of [stopServer, stopDatabase]) {
      await stop(STOP)
      await wait(CALM)
    }
  }
  isOver = true
  await all

  expect(wrong).toEqual([])
  expect(counts.right).toBeGreaterThan(0)
  expect(counts.refused).toBeGreaterThan(0)
  for (const path of calls) expect(await askUntilAnswered(path)).toBe(right.get(path))
})

/** A listener with a long library, on a new server and database. */
async function setUp() {
  const dataDir = await makeDataDir()
  const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  await migrateDatabase(embedded.connection)
  const db = connect(embedded.connection, { max: 1 })
  await db`set statement_timeout = 0`
  const [ada] = await db<{ id: string }[]>`
    with made as (insert into users (email) values ('ada@example.test') returning id)
    insert into listener_stats (user_id) select id from made returning user_id as id`
  const genre = await makeMicrogenre(db, 2500)
  await writeRatings(db, ada?.id ?? '', genre.songs.slice(500), () => true)
  await rollUp(db)
  await db`analyze`
  const sessions = Array.from({ length: SESSIONS }, newToken)
  await db`
    insert into sessions (token_hash, user_id, expires_at)
    select sha256(token::bytea), ${ada?.id ?? ''}, now() + interval '1 day' from unnest(${sessions}::text[]) token`
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
    newSession: () => {
      const session = sessions.pop()
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
