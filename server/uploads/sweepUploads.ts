import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Store } from '../integrations/storage/createStore.ts'
import { repeat } from '../process/repeat.ts'
import { discardUpload, type StoredUpload } from './discardUpload.ts'

const SWEEP_INTERVAL = 10 * 60_000

/** Uploads per query. */
const BATCH_SIZE = 100

/** Deletes unfinished uploads, files that were never used, and replaced photos. */
export async function sweepUploads(db: Database, store: Store): Promise<void> {
  await store.local?.sweep()
  for (;;) {
    const expired = await db<StoredUpload[]>`
      select key, upload_id from uploads where expires_at < now() order by expires_at limit ${BATCH_SIZE}`
    for (const upload of expired) await discardUpload(db, store, upload)
    if (expired.length < BATCH_SIZE) return
  }
}

/** Sweeps at once and every ten minutes. Returns a function that stops it. */
export function startSweepingUploads(db: Database, store: Store, log: Logger): () => Promise<void> {
  return repeat(() => sweepUploads(db, store), {
    interval: SWEEP_INTERVAL,
    failure: 'old uploads could not be deleted; will retry',
    log,
  })
}
