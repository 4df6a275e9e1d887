import type { Database } from '../../db/connection.ts'
import type { Env } from '../../env.ts'
import { RETRY, type RetryOptions } from '../askUntilAnswered.ts'
import { type Asking, askServices, type GrowServices } from './askServices.ts'
import { collectCandidates, type Genre } from './collectCandidates.ts'
import { type Decided, decideCandidates } from './decideCandidates.ts'

interface Grown extends Decided {
  /** Whether the sources answered everything. */
  isAnswered: boolean
}

export interface GrowOptions {
  /** New songs per microgenre at most; no limit by default. */
  limit?: number
  signal?: AbortSignal
  retry?: RetryOptions
}

export type Grow = (genre: Genre) => Promise<Grown>

/**
 * Gives microgenres new songs from open data. A run that was killed continues where it stopped, and a second run changes
 * nothing (catalogue-15).
 */
export function createGrow(
  db: Database,
  env: Env,
  services: GrowServices,
  { limit = Number.POSITIVE_INFINITY, signal, retry = RETRY }: GrowOptions = {},
): Grow {
  const asking: Asking = askServices(services, retry, signal)
  return async (genre) => {
    const isAnswered = await collectCandidates(db, asking, genre)
    return { ...(await decideCandidates(db, env, genre, { limit, signal })), isAnswered }
  }
}
