import { setTimeout as wait } from 'node:timers/promises'

/** EX_CONFIG of sysexits.h, after which process managers need not restart a program: its settings are wrong. */
export const EXIT_WRONG_SETTINGS = 78

/** A step of shutdown. `timeout` is in milliseconds. */
export interface Step {
  name: string
  timeout: number
  end(): Promise<unknown>
  /** Called when the step failed or timed out. */
  force?(): void
}

/** Runs the steps in order. Returns a sentence for each that failed or timed out. */
export async function endInOrder(steps: readonly Step[]): Promise<string[]> {
  const problems: string[] = []
  for (const step of steps) {
    const failure = await endOne(step)
    if (failure) problems.push(failure)
  }
  return problems
}

async function endOne({ name, timeout, end, force }: Step): Promise<string | null> {
  const controller = new AbortController()
  const late = wait(timeout, `${name} did not end within ${timeout / 1000} s`, {
    signal: controller.signal,
    ref: false,
  })
  const ended = Promise.resolve()
    .then(end)
    .then(
      () => null,
      (error: unknown) => `${name}: ${error instanceof Error ? error.message : String(error)}`,
    )
  const failure = await Promise.race([ended, late.catch(() => null)])
  controller.abort()
  if (failure) force?.()
  return failure
}

/** Milliseconds in which a second signal is ignored, because the terminal and the start script both send one. */
const DUPLICATE_SIGNAL_WINDOW = 1000

/** The exit code of a server process whose standard output was closed: 128 + SIGPIPE, as in shells. */
export const EXIT_OUTPUT_CLOSED = 141

export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Calls `stop` at the first signal, and exits at once at a later one. */
export function stopOnSignal(stop: () => void, signals = STOP_SIGNALS): void {
  let firstSignalAt: number | null = null
  for (const signal of signals) {
    process.on(signal, () => {
      if (firstSignalAt !== null && Date.now() - firstSignalAt > DUPLICATE_SIGNAL_WINDOW) process.exit(1)
      firstSignalAt ??= Date.now()
      stop()
    })
  }
}

/** Returns a function that runs `stop` once and then exits, with `process.exitCode` if that is set. */
export function exitAfter(stop: () => Promise<void>): () => void {
  let isStopping = false
  return () => {
    if (isStopping) return
    isStopping = true
    stop().then(
      () => process.exit(),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
}

/**
 * Resolves when standard output is closed, as in `npm start | head -1`. Without these listeners the error would end the
 * process and leave its database running. On a full disk the server runs on without a log.
 */
export function whenOutputCloses(outputs: Pick<NodeJS.EventEmitter, 'on'>[]): Promise<void> {
  return new Promise((resolve) => {
    for (const output of outputs) {
      output.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE') resolve()
      })
    }
  })
}
