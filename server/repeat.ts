import type { Logger } from 'pino'

interface Repeated {
  /** Milliseconds from one time to the next. */
  interval: number
  /** What is written into the log when it fails; it is tried again the next time. */
  failure: string
  log: Logger
}

/**
 * Does work at once and then again and again, never twice at the same time. Gives a function that ends it, after
 * what is under way.
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
