import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { listJobs } from '../../contract/admin.ts'
import type { Database } from '../../server/db/connection.ts'
import { type Job, runJobs } from '../../server/process/runJobs.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { withConnection } from '../harness/testCluster.ts'

/* Jobs: each runs in one process at a time, again and again. */

const app = setUpApp({ DIAGNOSTIC_EMAILS: 'operator@example.test' })
const line = setUpService(() => startDatabaseProxy(app.target))

const log = pino({ level: 'silent' })
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await app.db`delete from jobs`
})

/** Starts a process with these jobs. */
function start(
  jobs: Job[],
  { leaseSeconds = 60, maxRunSeconds = 60, db = app.db as Database } = {},
): () => Promise<void> {
  const stop = runJobs(db, jobs, log, { leaseSeconds, maxRunSeconds, pollInterval: 20 })
  stops.push(stop)
  return stop
}

/** As operators see it. */
async function jobs() {
  const operator = await app.signIn('operator@example.test')
  return (await operator.call(listJobs)).body
}

/** A job that runs until its signal aborts. */
function endless(): { job: Job; runs: AbortSignal[] } {
  const runs: AbortSignal[] = []
  const run = (signal: AbortSignal) => {
    runs.push(signal)
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  return { job: { name: 'endless', every: 60, run }, runs }
}

test('of three processes one runs a job at a time, and again when it is due', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const run = async () => {
    most = Math.max(most, ++running)
    await wait(5)
    running--
    runs++
  }
  for (let n = 0; n < 3; n++) start([{ name: 'often', every: 0, run }])

  await expect.poll(() => runs).toBeGreaterThan(10)
  expect(most).toBe(1)
  expect(await jobs()).toMatchObject([
    {
      name: 'often',
      failures: 0,
      error: null,
      succeededAt: expect.any(String),
      duration: expect.any(Number),
    },
  ])
})

test('what a killed process left goes on elsewhere when its lease has expired, and counts as a failure', async () => {
  await app.db`
    insert into jobs (name, next_run_at, lease_token, lease_until)
    values ('endless', now() - interval '1 hour', gen_random_uuid(), now() + interval '1 hour')`
  const { job, runs } = endless()
  let others = 0
  start([job, { name: 'often', every: 0, run: async () => void others++ }])
  await expect.poll(() => others).toBeGreaterThan(3)
  expect(runs).toHaveLength(0)
  await app.db`update jobs set lease_until = now() where name = 'endless'`
  await expect.poll(() => runs.length).toBe(1)

  expect((await jobs()).find(({ name }) => name === 'endless')).toMatchObject({
    running: true,
    startedAt: expect.any(String),
    failures: 1,
    error: 'The process that ran it ended.',
  })
})

test('a run outlasts its lease while its process lives, and ends when another has taken it', async () => {
  const { job, runs } = endless()
  start([job], { leaseSeconds: 0.4 })
  const other = endless()
  start([other.job], { leaseSeconds: 0.4 })
  await wait(1200)
  const [run, ...more] = [...runs, ...other.runs]
  expect(more).toEqual([])
  expect(run?.aborted).toBe(false)

  await app.db`update jobs set lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute'`
  await expect.poll(() => run?.aborted).toBe(true)
  expect(await jobs()).toMatchObject([{ running: true, succeededAt: null }])
})

test('a run that hangs is aborted after a while, counts as a failure, and another one starts', async () => {
  const runs: AbortSignal[] = []
  const run = (signal: AbortSignal) => {
    runs.push(signal)
    return new Promise<never>(() => {})
  }
  start([{ name: 'hangs', every: 3600, run }], { leaseSeconds: 0.2, maxRunSeconds: 0.2 })
  await expect.poll(() => runs[0]?.aborted).toBe(true)
  await expect.poll(async () => (await jobs())[0]?.error).toBe('It ran for too long and was aborted.')
  expect(await jobs()).toMatchObject([{ running: false, failures: 1, succeededAt: null }])

  await app.db`update jobs set next_run_at = now()`
  await expect.poll(() => runs.length).toBe(2)
})

test('a job that no process has run for an hour is forgotten, and comes back with its process', async () => {
  await app.db`
    insert into jobs (name, next_run_at, lease_until)
    values ('switched off', now() - interval '61 minutes', now() - interval '2 hours'),
      ('elsewhere', now() - interval '61 minutes', now() + interval '1 minute'),
      ('late elsewhere', now() - interval '59 minutes', now() - interval '2 hours')`
  const run = async () => 'done'
  start([{ name: 'here', every: 3600, run }], { leaseSeconds: 0.2 })
  const names = async () => (await jobs()).map(({ name }) => name)
  await expect.poll(names).toEqual(['elsewhere', 'here', 'late elsewhere'])

  await app.db`delete from jobs where name = 'here'`
  await expect.poll(names).toEqual(['elsewhere', 'here', 'late elsewhere'])
})

test('a run ends before its lease when the database does not answer', async () => {
  const { job, runs } = endless()
  await withConnection(line.target, async (db) => {
    const stop = start([job], { leaseSeconds: 1, db })
    await expect.poll(() => runs.length).toBe(1)
    line.freeze()
    await expect.poll(() => runs[0]?.aborted, { timeout: 5000 }).toBe(true)
    await line.restore()
    await stop()
  })
})

test('a process that stops hands its runs over at once', async () => {
  const { job, runs } = endless()
  const stop = start([job])
  await expect.poll(() => runs.length).toBe(1)
  const next = endless()
  start([next.job])
  await stop()

  expect(runs[0]?.aborted).toBe(true)
  await expect.poll(() => next.runs.length).toBe(1)
  expect(await jobs()).toMatchObject([{ running: true, failures: 0, error: null }])
})

test('accounts-9: a failure is told without secrets, and tried again after a minute; others go on', async () => {
  let others = 0
  const fail = async () => {
    throw new Error(`no room for ada@example.test at ${'aB3-_'.repeat(9).slice(0, 43)}`)
  }
  start([
    { name: 'bad', every: 3600, run: fail },
    { name: 'good', every: 0, run: async () => void others++ },
  ])
  await expect.poll(() => others).toBeGreaterThan(3)
  const [bad, good] = await jobs()
  expect(bad).toMatchObject({ name: 'bad', failures: 1, error: 'no room for [e-mail] at [token]' })
  const pause = Date.parse(bad?.nextRunAt ?? '') - Date.parse(bad?.failedAt ?? '')
  expect(pause).toBe(60_000)
  expect(good).toMatchObject({ name: 'good', failures: 0 })
})

test('a run that was not due leaves the last outcome', async () => {
  await app.db`insert into jobs (name, failures, failed_at, error) values ('nightly', 2, now(), 'disk full')`
  let runs = 0
  const run = async () => {
    runs++
    return 'not due'
  }
  start([{ name: 'nightly', every: 0, run }])
  await expect.poll(() => runs).toBeGreaterThan(1)

  expect(await jobs()).toMatchObject([{ failures: 2, error: 'disk full', succeededAt: null }])
})

test('a file that cannot be deleted does not keep those behind it', async () => {
  const ada = await app.signIn()
  const keys = Array.from({ length: 150 }, (_, n) => `uploads/${ada.id}/${String(n).padStart(22, '0')}`)
  await app.db`
    insert into uploads (key, user_id, purpose, expires_at)
    select key, ${ada.id}, 'file', now() - n * interval '1 second'
    from unnest(${keys}::text[]) with ordinality as k (key, n)`
  const bad = keys.slice(-120)
  const store = Object.assign(Object.create(app.store), {
    remove: (key: string) =>
      bad.includes(key) ? Promise.reject(new Error('The bucket is slow.')) : app.store.remove(key),
  })
  await expect(sweepUploads(app.db, store)).rejects.toThrow('The bucket is slow.')

  expect(await app.db`select from uploads`).toHaveLength(120)
  // They wait for the next attempt.
  await sweepUploads(app.db, store)
})
