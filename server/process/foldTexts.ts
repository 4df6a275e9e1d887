import type { Logger } from 'pino'
import type { Database, Queryable } from '../db/connection.ts'
import { withAdvisoryLock } from '../db/withAdvisoryLock.ts'
import { foldPeople } from '../profiles/listPublicUsers.ts'
import { foldSongs } from '../suggestions/catalogueSongs.ts'
import { repeat } from './repeat.ts'

/** An arbitrary key of an advisory lock. */
const FOLDING_LOCK = 7041040

/**
 * Folds all texts that wait: those of earlier versions, of an import, of a backup. Each batch is a transaction of its own,
 * so nobody waits for it long. One process does it.
 */
export async function foldTexts(db: Database, signal?: AbortSignal): Promise<void> {
  for (const fold of [foldSongs, foldPeople]) await foldAll(db, fold, signal)
}

async function foldAll(
  db: Database,
  fold: (db: Queryable, after: string) => Promise<string | null>,
  signal?: AbortSignal,
): Promise<void> {
  let after: string | null = '0'
  while (after !== null && !signal?.aborted) {
    const from: string = after
    after = null
    await withAdvisoryLock(db, FOLDING_LOCK, async (tx) => {
      after = await fold(tx, from)
    })
  }
}

/** Now, and every minute for what the version before writes. Returns a function that stops it. */
export const startFolding = (db: Database, log: Logger): (() => Promise<void>) =>
  repeat((signal) => foldTexts(db, signal), {
    interval: 60_000,
    failure: 'texts were not folded for searches; will retry',
    log,
  })
