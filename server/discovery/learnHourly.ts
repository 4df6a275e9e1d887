import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { repeat } from '../process/repeat.ts'
import { computeAffinities } from './affinities.ts'
import { drawMap } from './drawMap.ts'

const INTERVAL = 60 * 60_000

/** Computes affinities and then the map, now and every hour. Returns a function that stops it. */
export function startLearningAffinities(db: Database, log: Logger): () => Promise<void> {
  return repeat(
    async () => {
      await computeAffinities(db)
      await drawMap(db)
    },
    {
      interval: INTERVAL,
      failure: 'the affinities or the map of microgenres could not be computed; will retry',
      log,
    },
  )
}
