import { withAdvisoryLock } from './db/advisoryLocks.ts'
import type { Database, Queryable } from './db/connection.ts'
import { foldPeople } from './profiles/listPublicUsers.ts'
import { foldSongs } from './suggestions/catalogueSongs.ts'

/**
 * Folds all names and titles that are not folded yet: those of an earlier version, an import or a backup. Each batch is a
 * short transaction. Only one process at a time does it.
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
    await withAdvisoryLock(db, 'folding', async (tx) => {
      after = await fold(tx, from)
    })
  }
}
