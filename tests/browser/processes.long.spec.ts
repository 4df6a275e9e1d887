import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import { listMicrogenres } from '../../contract/discovery.ts'
import { makeMicrogenre } from '../factories.ts'
import { startMixedLoad } from '../harness/mixedLoad.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { signInAt, type Visitor, visitorAt } from '../harness/visitor.ts'
import { startTestServer, type TestServer } from './testServer.ts'

/* PROCESSES: several server processes at one address. */

const PROCESS_COUNT = 3

/** (100 connections - 3 for superusers - 10 for programs) / (3 processes + 1 while they are replaced), three times. */
const POOLS = 'banger_database_pool_size 63'

let app: TestServer
// In one worker, because what is below is made once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  app = await startTestServer({ PROCESSES: String(PROCESS_COUNT), DATABASE_POOL: '40' })
  await expect.poll(async () => (await scrape()).includes(POOLS), { timeout: 60_000 }).toBe(true)
})
test.afterAll(() => app.close())

for (const [signal, how] of [
  ['SIGKILL', 'SIGKILL'],
  ['SIGTERM', 'exit code 0'],
] as const) {
  test(`a process that ${signal} ended is started again, and meanwhile the others answer`, async () => {
    const load = await startLoad({ unanswered: true })
    const before = app.workers()
    const [killed = 0] = before
    process.kill(killed, signal)
    await load.answered()

    await expect
      .poll(() => app.output())
      .toContain(`A server process ended unexpectedly (${how}). It restarts in 1 s.`)
    await expect.poll(app.workers).toHaveLength(PROCESS_COUNT)
    expect(app.workers()).not.toContain(killed)
    expect(app.workers()).toEqual(expect.arrayContaining(before.slice(1)))
    await load.answered()
    await load.end()
    await expectRecount(app.db)
  })
}

test('SIGHUP replaces all processes one after the other, and no call fails', async () => {
  test.setTimeout(300_000)
  const load = await startLoad()
  const before = app.workers()
  process.kill(app.supervisor(), 'SIGHUP')
  const answers = new Set<string>()
  await expect
    .poll(
      async () => {
        answers.add((await visitorAt(app.url).raw('/ready', { headers: { connection: 'close' } })).text)
        return app.output()
      },
      { timeout: 240_000 },
    )
    .toContain('All server processes were replaced.')
  // A load balancer need not notice. A busy machine may be slow, but no process says that it is stopping.
  expect([...answers].filter((text) => text.includes('stopping'))).toEqual([])
  await load.answered()
  // Throws if a call failed, but for a 503 with Retry-After, as a busy machine gives.
  await load.end()

  expect(app.workers()).toHaveLength(PROCESS_COUNT)
  expect(app.workers().filter((pid) => before.includes(pid))).toEqual([])
  await expectRecount(app.db)
})

test('each process gives the metrics of all, and their pools fit into the database', async () => {
  const count = async () => {
    const metrics = await scrape()
    expect(metrics).toContain('banger_database_up 1')
    expect(metrics).toContain(POOLS)
    expect(metrics.match(/^banger_roll_up_lag_seconds /gm)).toHaveLength(1)
    const match = /_count{method="GET",route="\/api\/microgenres",status="401"} (\d+)/.exec(metrics)
    return Number(match?.[1] ?? 0)
  }
  const before = await count()
  for (let n = 0; n < 12; n++)
    await visitorAt(app.url).raw(listMicrogenres.path, { headers: { connection: 'close' } })

  await expect.poll(count).toBe(before + 12)
  // Whichever answers.
  for (let n = 0; n < PROCESS_COUNT; n++) expect(await count()).toBe(before + 12)
})

test('SIGTERM stops all processes, and the exit code is 0', async () => {
  const ada = await signIn()
  const stopped = app.workers()
  expect(await app.stop()).toBe(0)
  expect(stopped.filter(isAlive)).toEqual([])

  await app.start()
  // The session is still valid.
  expect((await ada.call(listMicrogenres)).status).toBe(200)
})

for (const PROCESSES of ['1', '2'])
  test(`when the first of ${PROCESSES} processes cannot start, only the reason is printed, once, and no other is started`, async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-processes-'))
    const { PATH, HOME } = process.env
    const env = {
      PATH,
      HOME,
      NODE_ENV: 'test',
      CATALOGUE_VERIFY: 'false',
      PROCESSES,
      PORT: new URL(app.url).port,
      DATA_DIR: dataDir,
    }
    try {
      const server = spawn(process.execPath, ['dist/server/main.js'], { env })
      const [[code], out, err] = await Promise.all([
        once(server, 'close'),
        text(server.stdout),
        text(server.stderr),
      ])

      expect(code, 'a service manager tries again').toBe(1)
      expect(err.match(/Port \d+ of 127\.0\.0\.1 is in use\..* set PORT/g)).toHaveLength(1)
      expect(out).not.toContain('restarts in')
      expect(out + err).not.toMatch(/^ +at |"level":50/m)
      expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid')), 'PostgreSQL has stopped').toBe(
        false,
      )
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  })

async function startLoad({ unanswered = false } = {}) {
  const [one, two] = [await signIn(), await signIn()]
  const { id } = await makeMicrogenre(app.db, 3000)
  return startMixedLoad([one, two], id, { unanswered })
}

const scrape = async () =>
  (await visitorAt(app.url).raw('/metrics', { headers: { connection: 'close' } })).text

let people = 0

async function signIn(): Promise<Visitor & { id: string }> {
  await app.db`delete from limit_counters`
  const visitor = await signInAt(app.url, `process-${++people}@example.test`)
  const [account] = await app.db<{ id: string }[]>`
    update users set is_public = true where email = ${`process-${people}@example.test`} returning id`
  return { ...visitor, id: account?.id ?? '' }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/* A server with a low limit of open files: connections must not use it up. */

test('more idle connections than file descriptors do not crash the server, and it answers others', async () => {
  const files = 256
  const app = await startTestServer({}, { files })
  const sockets: Socket[] = []
  try {
    for (let i = 0; i < files + 50; i++) {
      const socket = connect({
        port: Number(new URL(app.url).port),
        host: '127.0.0.1',
        localAddress: '127.0.0.2',
      })
      socket.on('error', () => {})
      sockets.push(socket)
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))

    const statuses: unknown[] = []
    // Longer than all of the server's one-second timers.
    const end = Date.now() + 2500
    while (Date.now() < end) statuses.push(await ask(`${app.url}/health`))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await app.stop()).toBe(0)
    expect(app.output()).not.toContain('EMFILE')
  } finally {
    for (const socket of sockets) socket.destroy()
    await app.close()
  }
})

function ask(url: string): Promise<unknown> {
  return new Promise((resolve) => {
    const call = http.get(url, { agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
