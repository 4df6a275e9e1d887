import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'

/** Changes that one transaction folds. */
const BATCH = 5000
const INTERVAL = 1000

/** Folds what is waiting into the totals, until nothing is left or another process is at it. */
export async function rollUp(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db<{ folded: number }[]>`select roll_up_v1(${BATCH}) as folded`
    if (!row || row.folded < BATCH) return
  }
}

/**
 * Folds once a second, so totals lag a rating by two seconds at most (D-64). `onFolded` hears when nothing is left.
 * Gives a function that ends it.
 */
export function startRollUp(db: Database, log: Logger, onFolded = () => {}): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = rollUp(db)
      .then(onFolded)
      .catch((error: unknown) => log.warn({ err: error }, 'the totals could not be rolled up; they will be'))
      .finally(() => {
        busy = false
      })
  }, INTERVAL)
  return async () => {
    clearInterval(timer)
    await running
  }
}
