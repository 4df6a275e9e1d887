import { tryLock, unlock } from '../db/advisoryLocks.ts'
import type { Database } from '../db/connection.ts'
import { createModel, initializeTraits, learnTraits, type Model, measureError } from './factors.ts'
import { type HeardRatings, readSample } from './heardRatings.ts'
import { activateTraits, readTraits, requireLearnerLock } from './writeTaste.ts'

/** Ratings of which the traits are learned: 40 MB. */
const MAX_RATINGS = 10_000_000

/** Fewer ratings say nothing about tastes. */
export const MIN_RATINGS = 1000

const SWEEPS_PER_RUN = 6

/** A smaller improvement over shares alone is noise. */
const MIN_GAIN = 0.001

/** How much the error may grow between runs, because the held-out ratings change. */
const MAX_ERROR_GROWTH = 1.01

export interface LearningRun {
  run: number
  outcome: 'in place' | 'refused' | 'too few'
  ratings: number
  listeners: number
  /** Errors on held-out ratings: of this run, of the active one before it, and without traits (discover-62). */
  loss: number | null
  lastLoss: number | null
  plainLoss: number | null
}

/**
 * Learns the traits of all songs and activates them, with the tastes of those who have rated since the last run or have
 * none (discover-60), unless they predict held-out ratings worse (discover-62). `db` is a pool of one connection, whose
 * session holds the lock. Null when another process is learning. The next run completes a killed one.
 */
export async function learnTaste(
  db: Database,
  { maxRatings = MAX_RATINGS } = {},
): Promise<LearningRun | null> {
  if (!(await tryLock(db, 'learner'))) return null
  try {
    await db`
      delete from taste_runs where started_at < now() - interval '90 days'
        and run < (select max(run) from taste_runs where outcome = 'in place')`
    const [startedRun] = await db<{ run: number }[]>`insert into taste_runs default values returning run`
    if (!startedRun) throw new Error('An insert returned no row.')
    const { heard, model, lastRun, ...baseline } = await db.begin(
      'isolation level repeatable read read only',
      async (tx) => {
        await tx`set local statement_timeout = 0`
        await tx`set local work_mem = '64MB'`
        const read = await readSample(tx, maxRatings)
        const emptyModel = createModel(read)
        const plainLoss = measureError(emptyModel, read)
        const active = await readTraits(tx, emptyModel, read)
        return {
          heard: read,
          model: emptyModel,
          lastRun: active,
          plainLoss,
          lastLoss: active === null ? null : measureError(emptyModel, read),
        }
      },
    )
    const run: LearningRun = {
      run: startedRun.run,
      ratings: heard.marks.length,
      listeners: heard.listeners.length,
      ...trainModel(heard, model, baseline),
    }
    if (run.outcome === 'in place') await activateTraits(db, lastRun ?? run.run, model, heard.songs)
    await requireLearnerLock(db)
    await db`
      update taste_runs set ended_at = now(), outcome = ${run.outcome}, ratings = ${run.ratings},
        listeners = ${run.listeners}, loss = ${run.loss}, last_loss = ${run.lastLoss}, plain_loss = ${run.plainLoss}
      where run = ${run.run}`
    return run
  } finally {
    await unlock(db)
  }
}

type LearningResult = Pick<LearningRun, 'outcome' | 'loss' | 'lastLoss' | 'plainLoss'>

function trainModel(
  heard: HeardRatings,
  model: Model,
  { plainLoss, lastLoss }: { plainLoss: number; lastLoss: number | null },
): LearningResult {
  if (heard.marks.length < MIN_RATINGS || Number.isNaN(plainLoss))
    return { outcome: 'too few', loss: null, lastLoss: null, plainLoss: null }
  initializeTraits(model, heard)
  learnTraits(model, heard, SWEEPS_PER_RUN)
  const loss = measureError(model, heard)
  const isBetter =
    loss < plainLoss - MIN_GAIN * plainLoss && loss <= (lastLoss ?? plainLoss) * MAX_ERROR_GROWTH
  return { outcome: isBetter ? 'in place' : 'refused', loss, lastLoss, plainLoss }
}
