import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { print } from './log.ts'
import { EXIT_OUTPUT_CLOSED, exitAfter, STOP_SIGNALS, stopOnSignal, whenOutputCloses } from './shutdown.ts'

/* The primary process runs the server processes, one or several at one address. It answers no calls itself. */

/** The message to a process that was replaced. */
export const RETIRE_MESSAGE = 'retire'

/** Milliseconds before a process is restarted. They double each time. */
const MIN_BACKOFF = 1000
const MAX_BACKOFF = 30_000
/** Milliseconds of running after which the backoff is reset. */
const STABLE_AFTER = 60_000

interface Plan {
  /** The module that each process runs. */
  exec: string
  count: number
  /** Runs before the first process starts. Returns changes to the environment of all. */
  prepare?(): Promise<Record<string, string>>
  /** Milliseconds after which a process that does not stop is killed. */
  stopTimeout: number
  /** Called when a process listens on the port. */
  onListening?(port: number): void
  /** Called when all processes have ended, or when `prepare` failed or a signal interrupted it. */
  close?(): Promise<void>
  outputs?: Parameters<typeof whenOutputCloses>[0]
  minBackoff?: number
  stableAfter?: number
}

/** Holds one process at a time. */
interface Slot {
  worker?: Worker
}

/**
 * Runs `count` processes until a signal to stop. A process that ends is restarted, unless it is the first one and never
 * listened, because a wrong configuration stays wrong. SIGHUP replaces the processes one by one: each new one listens before
 * the previous one stops. In a terminal SIGHUP means that the terminal was closed, and stops all.
 */
export async function supervise(plan: Plan): Promise<void> {
  const { minBackoff = MIN_BACKOFF, stableAfter = STABLE_AFTER } = plan
  const slots: Slot[] = Array.from({ length: plan.count }, () => ({}))
  const running = () =>
    Object.values(cluster.workers ?? {}).filter(
      (worker): worker is Worker => worker !== undefined && !worker.isDead(),
    )
  const listening = new WeakSet<Worker>()
  let settings: Record<string, string> = {}
  let isStopping = false
  let hasStarted = false

  const stop = exitAfter(async () => {
    isStopping = true
    await Promise.all(running().map((worker) => end(worker, () => worker.process.kill('SIGTERM'))))
    await plan.close?.()
  })

  /** Asks a process to end, waits for it, and kills it if it is late. */
  async function end(worker: Worker, ask: () => void): Promise<void> {
    const ended = once(worker, 'exit')
    const late = setTimeout(() => worker.process.kill('SIGKILL'), plan.stopTimeout)
    ask()
    await ended
    clearTimeout(late)
  }

  /** Puts a process into the slot, and restarts it when it ends. */
  function monitor(slot: Slot, worker: Worker, backoff = minBackoff): void {
    const since = performance.now()
    slot.worker = worker
    worker.once('exit', (code: number | null, signal: string | null) => {
      // Unless another process has replaced it.
      if (isStopping || slot.worker !== worker) return
      if (code === EXIT_OUTPUT_CLOSED) return stop()
      if (!hasStarted) {
        process.exitCode = code ?? 1
        return stop()
      }
      const delay = performance.now() - since < stableAfter ? backoff : minBackoff
      print(
        `A server process ended unexpectedly (${signal ?? `exit code ${code}`}). It restarts in ${delay / 1000} s.`,
      )
      setTimeout(() => {
        if (!isStopping && slot.worker === worker)
          monitor(slot, cluster.fork(settings), Math.min(delay * 2, MAX_BACKOFF))
      }, delay)
    })
  }

  async function replaceAll(): Promise<void> {
    for (const slot of slots) {
      if (isStopping) return
      const next = cluster.fork(settings)
      if (!(await isListening(next))) {
        if (!isStopping) print('A new server process did not start. The others were not replaced.')
        return
      }
      const previous = slot.worker
      monitor(slot, next)
      if (!previous || previous.isDead() || !previous.isConnected()) continue
      await end(previous, () => {
        // A process that is starting does not read messages.
        if (listening.has(previous)) previous.send(RETIRE_MESSAGE, () => {})
        else previous.process.kill('SIGTERM')
      })
    }
    print('All server processes were replaced.')
  }

  async function startAll(): Promise<void> {
    if (plan.prepare) settings = await plan.prepare()
    for (const [n, slot] of slots.entries()) {
      if (isStopping) return
      const worker = cluster.fork(settings)
      monitor(slot, worker)
      // The first process migrates the database, and reports why it cannot start.
      if (n === 0 && !(await isListening(worker))) return
      hasStarted = true
    }
  }

  void whenOutputCloses(plan.outputs ?? [process.stdout]).then(stop)
  let pendingWork = Promise.resolve()
  if (process.stdin.isTTY) stopOnSignal(stop)
  else {
    stopOnSignal(
      stop,
      STOP_SIGNALS.filter((signal) => signal !== 'SIGHUP'),
    )
    process.on('SIGHUP', () => {
      pendingWork = pendingWork.then(replaceAll)
    })
  }
  cluster.on('listening', (worker, { port }) => {
    listening.add(worker)
    plan.onListening?.(port)
  })
  // The processes accept connections themselves. Otherwise this process could pass a connection to a process that was
  // just killed, and the connection would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: plan.exec })
  const starting = startAll()
  pendingWork = starting.catch(() => {})
  await starting.catch(async (error: unknown) => {
    await plan.close?.()
    throw error
  })
}

function isListening(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('listening', () => resolve(true))
    worker.once('exit', () => resolve(false))
  })
}
