import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Store } from '../integrations/storage/createStore.ts'
import { repeat } from '../process/repeat.ts'
import { discardUpload, type StoredUpload } from './discardUpload.ts'

const INTERVAL = 10 * 60_000

/** Uploads that one query names. */
const BATCH = 100

/** Removes uploads that were not finished, files that nothing came of, and photos that were replaced. */
export async function sweepUploads(db: Database, store: Store): Promise<void> {
  await store.local?.sweep()
  for (;;) {
    const expired = await db<StoredUpload[]>`
      select key, upload_id from uploads where expires_at < now() order by expires_at limit ${BATCH}`
    for (const upload of expired) await discardUpload(db, store, upload)
    if (expired.length < BATCH) return
  }
}

/** Sweeps at once and every ten minutes. Gives a function that ends it. */
export function startSweepingUploads(db: Database, store: Store, log: Logger): () => Promise<void> {
  return repeat(() => sweepUploads(db, store), {
    interval: INTERVAL,
    failure: 'old uploads could not be deleted; will retry',
    log,
  })
}
