import type { Logger } from 'pino'

interface Repeated {
  /** Milliseconds between two starts. */
  interval: number
  /** The log message when it fails; the next interval tries again. */
  failure: string
  log: Logger
}

/**
 * Runs work now and at an interval, never twice at a time. Returns a function that stops it and waits for the
 * current run.
 */
export function repeat(work: () => Promise<void>, { interval, failure, log }: Repeated): () => Promise<void> {
  let running: Promise<void> | null = null
  const start = () => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, failure))
      .finally(() => {
        running = null
      })
  }
  start()
  const timer = setInterval(start, interval)
  return async () => {
    clearInterval(timer)
    await running
  }
}
