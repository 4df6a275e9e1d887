import type { Logger } from 'pino'

interface RepeatOptions {
  /** Milliseconds between two runs. */
  interval: number
  /** The message that is logged when a run fails. */
  failure: string
  log: Logger
}

type Work = (signal: AbortSignal) => Promise<void>

/**
 * Runs `work` now and at an interval, one run at a time. Returns a function that aborts the signal and waits for the current
 * run.
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
