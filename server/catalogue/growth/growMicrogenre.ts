import type { Database } from '../../db/connection.ts'
import type { Env } from '../../env.ts'
import { createAsk, type ServiceOptions } from '../askServices.ts'
import { collectCandidates, type MicrogenreRef } from './collectCandidates.ts'
import { type DecisionCounts, decideCandidates } from './decideCandidates.ts'
import type { GrowServices } from './foundMicrogenres.ts'

interface GrowthResult extends DecisionCounts {
  /** Whether the sources answered everything. */
  isAnswered: boolean
}

export interface GrowOptions extends ServiceOptions {
  /** New songs per microgenre at most; no limit by default. */
  limit?: number
}

export type Grow = (genre: MicrogenreRef) => Promise<GrowthResult>

/**
 * Adds songs from open data to microgenres. A killed run continues where it stopped, and a second run changes nothing
 * (catalogue-15).
 */
export function createGrow(
  db: Database,
  env: Env,
  services: GrowServices,
  { limit = Number.POSITIVE_INFINITY, ...options }: GrowOptions = {},
): Grow {
  const sources = { ...services, ask: createAsk(options) }
  return async (genre) => {
    const isAnswered = await collectCandidates(db, sources, genre)
    return { ...(await decideCandidates(db, env, genre, { ...options, limit })), isAnswered }
  }
}
