import type { Logger } from 'pino'

interface RepeatOptions {
  /** Milliseconds between two starts. */
  interval: number
  /** The log message when it fails; the next interval tries again. */
  failure: string
  log: Logger
}

type Work = (signal: AbortSignal) => Promise<void>

/**
 * Runs work now and at an interval, never twice at a time. Returns a function that stops it: it aborts the signal and
 * waits for the current run.
 */
export function repeat(work: Work, { interval, failure, log }: RepeatOptions): () => Promise<void> {
  const controller = new AbortController()
  let running: Promise<void> | null = null
  const start = () => {
    running ??= work(controller.signal)
      .catch((error: unknown) => log.warn({ err: error }, failure))
      .finally(() => {
        running = null
      })
  }
  start()
  const timer = setInterval(start, interval)
  return async () => {
    clearInterval(timer)
    controller.abort()
    await running
  }
}
