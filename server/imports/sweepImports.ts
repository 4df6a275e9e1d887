import { IMPORT_DAYS } from '../../contract/imports.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'
import type { Store } from '../integrations/storage/createStore.ts'
import { discardUpload, type StoredUpload } from '../uploads/discardUpload.ts'

/** What the job needs of the server. */
export type JobContext = Pick<Context, 'db' | 'log'> & { integrations: { store: Store } }

/** Deletes the file of an import. */
export async function discardFile({ db, integrations }: JobContext, key: string): Promise<void> {
  const [upload] = await db<StoredUpload[]>`
    select key, upload_id from uploads where key = ${key} and discarded_at is null`
  if (upload) await discardUpload(db, integrations.store, upload)
  await db`
    update imports set upload_key = null, header = null,
      error = case when header is null then error else 'The file was deleted after a day. Please choose it again.' end
    where upload_key = ${key}`
}

/**
 * Deletes files that were read, when that failed before, and imports that are old.
 * @throws Error, after all others were deleted, when there was a file that could not be.
 */
export async function sweepImports(context: JobContext, signal: AbortSignal): Promise<void> {
  const { db } = context
  const files = await db<{ key: string }[]>`
    select i.upload_key as key from imports i left join uploads u on u.key = i.upload_key and u.discarded_at is null
    where i.upload_key is not null and i.status not in ('waiting', 'reading') and (i.header is null or u.key is null)
    limit 100`
  let failure: unknown
  for (const { key } of files)
    await discardFile(context, key).catch((error: unknown) => {
      failure = error
    })
  await inBatches(
    signal,
    (rows) => db`
      delete from import_songs where (import_id, place) in (
        select s.import_id, s.place from imports i join import_songs s on s.import_id = i.id
        where ${isOld(db)} limit ${rows})`,
  )
  await db`delete from imports i where ${isOld(db)}`
  if (failure) throw failure
}

const isOld = (db: Database) => db`
  i.status in ('ready', 'failed', 'applied')
    and coalesce(i.applied_at, i.created_at) < now() - ${IMPORT_DAYS} * interval '1 day'`
