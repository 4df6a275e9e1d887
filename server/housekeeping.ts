import type { Logger } from 'pino'
import { sweepLinks } from './auth/magicLink.ts'
import { sweepSessions } from './auth/sessions.ts'
import type { Database } from './db/connection.ts'
import { sweepLimits } from './http/limits.ts'
import { repeat } from './repeat.ts'

const INTERVAL = 10 * 60_000

/** Removes what is over: counts of limits, sessions, sign-in links. Every process does; they do not meet. */
export async function sweep(db: Database): Promise<void> {
  await sweepLimits(db)
  await sweepSessions(db)
  await sweepLinks(db)
}

/** Sweeps at once and every ten minutes. Gives a function that ends it. */
export function startHousekeeping(db: Database, log: Logger): () => Promise<void> {
  return repeat(() => sweep(db), {
    interval: INTERVAL,
    failure: 'what is over could not be removed; it will be',
    log,
  })
}
