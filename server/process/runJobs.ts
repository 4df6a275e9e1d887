import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { redact } from './log.ts'
import { repeat } from './repeat.ts'

/** Work that one process at a time does, again and again. The row of `jobs` with its name has the outcome of its runs. */
export interface Job {
  name: string
  /** Seconds from the end of a run to the start of the next. */
  every: number
  /**
   * Ends soon after `signal` aborts. 'not due' leaves the outcome of the last run as it is. A run that throws is repeated
   * after 1, 2, 4 … minutes, at most an hour or `every`.
   */
  run(signal: AbortSignal): Promise<unknown>
}

const POLL_INTERVAL = 1000

/** Seconds after which another process repeats the run of one that was killed. */
const LEASE_SECONDS = 60

/** After half a day a run is aborted, and a minute later another may start: the first one hangs. */
const MAX_RUN_SECONDS = 43_200

/**
 * Runs jobs that are due, each in one process at a time. Returns a function that aborts the runs of this process and waits
 * for them; another process repeats them.
 */
export function runJobs(
  db: Database,
  jobs: readonly Job[],
  log: Logger,
  { leaseSeconds = LEASE_SECONDS, maxRunSeconds = MAX_RUN_SECONDS, pollInterval = POLL_INTERVAL } = {},
): () => Promise<void> {
  const leaseEnd = db`now() + ${leaseSeconds} * interval '1 second'`
  const running = new Map<string, Promise<void>>()
  let storedAt = Number.NEGATIVE_INFINITY

  /** Stores this process's jobs. Those that no process has run for an hour are forgotten: until then they count as late. */
  async function store(): Promise<void> {
    const names = jobs.map(({ name }) => name)
    await db`insert into jobs (name) select unnest(${names}::text[]) on conflict do nothing`
    await db`
      delete from jobs where name <> all(${names}::text[])
        and greatest(next_run_at, lease_until) < now() - interval '1 hour'`
    storedAt = performance.now()
  }

  /** A row with a token whose lease has expired is that of a process which was killed. */
  async function claimNext(token: string): Promise<string | undefined> {
    const names = jobs.map(({ name }) => name).filter((name) => !running.has(name))
    const [claimed] = await db<{ name: string }[]>`
      update jobs set lease_token = ${token}, lease_until = ${leaseEnd}, started_at = now(),
        failures = failures + (lease_token is not null)::int,
        failed_at = case when lease_token is null then failed_at else now() end,
        error = case when lease_token is null then error else 'The process that ran it ended.' end
      where name = (
        select name from jobs where name = any(${names}::text[]) and next_run_at <= now() and lease_until <= now()
        order by next_run_at limit 1 for update skip locked)
      returning name`
    return claimed?.name
  }

  /**
   * Aborts `signal` when the run takes too long, or when the lease was lost, or may be lost soon because the database does not
   * answer, and `hung` when the run did not end then.
   */
  function keepLease(token: string): { signal: AbortSignal; hung: AbortSignal; end(): void } {
    const lost = new AbortController()
    const hung = new AbortController()
    const startedAt = performance.now()
    let renewedAt = startedAt
    const timer = setInterval(async () => {
      const since = performance.now()
      const secondsOver = (since - startedAt) / 1000 - maxRunSeconds
      if (secondsOver > leaseSeconds) return hung.abort()
      if (secondsOver > 0) lost.abort()
      if (since - renewedAt > leaseSeconds * 750) return lost.abort()
      const renewed = await db`update jobs set lease_until = ${leaseEnd} where lease_token = ${token}`.catch(
        () => null,
      )
      if (renewed?.count === 0) lost.abort()
      else if (renewed) renewedAt = since
    }, leaseSeconds * 250)
    return { signal: lost.signal, hung: hung.signal, end: () => clearInterval(timer) }
  }

  async function run({ name, every, run: work }: Job, token: string, stopping: AbortSignal): Promise<void> {
    const lease = keepLease(token)
    const signal = AbortSignal.any([stopping, lease.signal])
    const startedAt = performance.now()
    const ended = Promise.race([work(signal), once(lease.hung, 'abort')])
    const outcome = await ended.catch((error: unknown) => ({ error }))
    const milliseconds = Math.round(performance.now() - startedAt)
    lease.end()
    const next = db`now() + ${every} * interval '1 second'`
    const isTooLong = milliseconds > maxRunSeconds * 1000
    const error = outcome instanceof Object && 'error' in outcome ? outcome.error : null
    const failure = isTooLong ? new Error('It ran for too long and was aborted.') : error
    const isHandedOver = signal.aborted && !isTooLong
    if (failure && !isHandedOver) log.warn({ err: failure, job: name }, 'a job failed; will retry')
    const change = isHandedOver
      ? db`next_run_at = now()`
      : failure
        ? db`failures = failures + 1, failed_at = now(), error = ${describe(failure)},
            next_run_at = least(${next}, now() + least(60 * power(2, least(failures, 10)), 3600) * interval '1 second')`
        : outcome === 'not due'
          ? db`next_run_at = ${next}`
          : db`next_run_at = ${next}, failures = 0, succeeded_at = now(), duration_ms = ${milliseconds}`
    await db`
      update jobs set lease_token = null, lease_until = now(), ${change} where lease_token = ${token}`.catch(
      (error: unknown) => log.warn({ err: error, job: name }, 'the outcome of a job was not stored'),
    )
    running.delete(name)
  }

  async function runDue(stopping: AbortSignal): Promise<void> {
    if (performance.now() - storedAt > leaseSeconds * 1000) await store()
    while (!stopping.aborted) {
      const token = randomUUID()
      const name = await claimNext(token)
      const job = jobs.find((each) => each.name === name)
      if (!job) return
      running.set(job.name, run(job, token, stopping))
    }
  }

  const stop = repeat(runDue, {
    interval: pollInterval,
    failure: 'jobs could not be started; will retry',
    log,
  })
  return async () => {
    await stop()
    await Promise.all(running.values())
  }
}

const describe = (error: unknown) =>
  redact(error instanceof Error ? error.message : String(error)).slice(0, 300)
