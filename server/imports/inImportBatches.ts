import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Transaction } from '../db/connection.ts'

/** Songs of a transaction, for whose milliseconds their listener's ratings wait. */
export const SONGS_PER_BATCH = 200

export interface FoundImport {
  id: string
  userId: string
  appliedPlace: number
  achievements: string[]
  beganTaste: boolean
}

/**
 * Repeats a batch of work on an import in transactions that hold its listener's lock, until it returns true, and pauses after
 * each for twice as long as it took. Returns false when `signal` stops it, when the listener is gone, or when the import has another
 * status.
 */
export async function inImportBatches(
  db: Database,
  importId: string,
  status: 'applying' | 'reverting',
  signal: AbortSignal | undefined,
  work: (tx: Transaction, found: FoundImport) => Promise<boolean>,
): Promise<boolean> {
  while (!signal?.aborted) {
    const started = performance.now()
    const isDone = await db.begin(async (tx) => {
      const found = await lockImport(tx, importId, status)
      // A crash loses whole batches, which are done again, so no rating waits for this flush.
      await tx`set local synchronous_commit = off`
      return found ? work(tx, found) : null
    })
    if (isDone !== false) return isDone ?? false
    await wait(2 * (performance.now() - started), undefined, { signal }).catch(() => {})
  }
  return false
}

/** Locks the listener before the import, like the deletion of an account. */
async function lockImport(tx: Transaction, importId: string, status: string): Promise<FoundImport | null> {
  const [owner] = await tx<{ userId: string }[]>`select user_id from imports where id = ${importId}`
  if (!owner) return null
  const { length: isThere } = await tx`
    select from listener_stats where user_id = ${owner.userId} for no key update`
  if (!isThere) return null
  const [found] = await tx<FoundImport[]>`
    select id, user_id, applied_place, achievements, began_taste from imports
    where id = ${importId} and status = ${status} for no key update`
  return found ?? null
}
