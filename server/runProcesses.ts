import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { pino } from 'pino'
import { connect } from './db/connection.ts'
import { holdData, type SharedData } from './db/openDatabase.ts'
import type { Env } from './env.ts'
import { answerMetrics } from './http/metricsOfAll.ts'
import { createLog } from './process/log.ts'
import { exitAfter, OUTPUT_CLOSED, STOP_SIGNALS, stopOnSignal, whenOutputCloses } from './process/stopping.ts'
import { print } from './programs/print.ts'

/* Several server processes at one address. This process starts them, and answers no calls itself. */

/** The message to a server process that another one has replaced. */
export const RETIRE = 'retire'

/** Milliseconds to wait before a process is started again. The wait doubles each time, up to the longest. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000
/** After a run of this many milliseconds the wait is the first one again. */
const RAN_WELL = 60_000

/** Milliseconds, after DRAIN_SECONDS, in which a process can stop; its own limits are shorter. */
const STOP_MAY_TAKE = 40_000

/** Connections that stay free for the operator's programs. */
const FOR_PROGRAMS = 10

/** The place of one server process, in which one follows another. */
interface Place {
  worker?: Worker
}

/**
 * Runs `env.PROCESSES` server processes, each like a single one, until a signal to stop. One that ends is started again.
 * SIGHUP replaces them one after the other: the next one answers calls before its predecessor stops. From a terminal
 * SIGHUP means that it was closed, and stops all.
 */
export async function runProcesses(env: Env): Promise<void> {
  const destination = pino.destination({ sync: false })
  const outputClosed = whenOutputCloses([process.stdout, destination])
  const log = createLog(env.LOG_LEVEL, destination)
  print('preparing the database')
  const data = await holdData(env, (message, details) => log.info(details ?? {}, message))
  const settings = await sizePools(env, data).catch(async (error: unknown) => {
    await data.close()
    throw error
  })

  const places: Place[] = Array.from({ length: env.PROCESSES }, () => ({}))
  const running = () =>
    Object.values(cluster.workers ?? {}).filter(
      (worker): worker is Worker => worker !== undefined && !worker.isDead(),
    )
  const listening = new WeakSet<Worker>()
  let isStopping = false
  let hasStarted = false

  const stop = exitAfter(async () => {
    isStopping = true
    await Promise.all(running().map((worker) => end(worker, () => worker.process.kill('SIGTERM'))))
    await data.close()
    log.flush()
  })

  /** Waits until it has ended, and ends it by force if it does not. */
  async function end(worker: Worker, ask: () => void): Promise<void> {
    const ended = once(worker, 'exit')
    const late = setTimeout(() => worker.process.kill('SIGKILL'), env.DRAIN_SECONDS * 1000 + STOP_MAY_TAKE)
    ask()
    await ended
    clearTimeout(late)
  }

  /** Gives the place to this process, and to the next one when it ends. */
  function keep(place: Place, worker: Worker, pause = FIRST_PAUSE): void {
    const since = performance.now()
    place.worker = worker
    worker.once('exit', (code: number | null, signal: string | null) => {
      // Otherwise another process has the place.
      if (isStopping || place.worker !== worker) return
      if (code === OUTPUT_CLOSED) return stop()
      if (!hasStarted) {
        process.exitCode = code ?? 1
        return stop()
      }
      const wait = performance.now() - since < RAN_WELL ? pause : FIRST_PAUSE
      print(
        `A server process ended unexpectedly (${signal ?? `exit code ${code}`}). It restarts in ${wait / 1000} s.`,
      )
      setTimeout(() => {
        if (!isStopping && place.worker === worker)
          keep(place, cluster.fork(settings), Math.min(wait * 2, LONGEST_PAUSE))
      }, wait)
    })
  }

  async function replaceAll(): Promise<void> {
    for (const place of places) {
      if (isStopping) return
      const next = cluster.fork(settings)
      if (!(await isListening(next))) {
        if (!isStopping) print('A new server process did not start. The others were not replaced.')
        return
      }
      const before = place.worker
      keep(place, next)
      if (!before || before.isDead() || !before.isConnected()) continue
      await end(before, () => {
        // One that still starts does not read messages.
        if (listening.has(before)) before.send(RETIRE, () => {})
        else before.process.kill('SIGTERM')
      })
    }
    print('All server processes were replaced.')
  }

  async function startAll(): Promise<void> {
    for (const [n, place] of places.entries()) {
      const worker = cluster.fork(settings)
      keep(place, worker)
      // The first one migrates the database, and says why it cannot start.
      if (n === 0 && !(await isListening(worker))) return
      hasStarted = true
    }
  }

  void outputClosed.then(stop)
  let working = Promise.resolve()
  if (process.stdin.isTTY) stopOnSignal(stop)
  else {
    stopOnSignal(
      stop,
      STOP_SIGNALS.filter((signal) => signal !== 'SIGHUP'),
    )
    process.on('SIGHUP', () => {
      working = working.then(replaceAll)
    })
  }
  cluster.on('listening', (worker, { port }) => {
    listening.add(worker)
    data.announce(env.PUBLIC_URL ?? `http://localhost:${port}`)
  })
  answerMetrics()
  // The processes accept connections themselves. Otherwise this one would also pass new connections to a process that
  // was just killed, and they would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  working = startAll()
  await working
}

function isListening(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('listening', () => resolve(true))
    worker.once('exit', () => resolve(false))
  })
}

/**
 * The setting for processes whose pools fit into the database together, with one process more while they are replaced.
 * @throws what connecting to the database throws.
 */
async function sizePools(env: Env, { target }: SharedData): Promise<Record<string, string>> {
  const db = connect(env.DATABASE_DIRECT_URL ?? target, { max: 1 })
  try {
    const [row] = await db<{ most: number }[]>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`
    const share = Math.floor(((row?.most ?? 0) - FOR_PROGRAMS) / (env.PROCESSES + 1))
    return { DATABASE_POOL: String(Math.max(2, Math.min(env.DATABASE_POOL, share))) }
  } finally {
    await db.end({ timeout: 5 })
  }
}
