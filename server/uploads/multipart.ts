import { MAX_PARTS, MIN_PART_BYTES } from '../../contract/uploads.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { type Lock, withLock } from '../http/limits/limits.ts'
import { type Part, type SignedAddress, uploadKey } from '../integrations/storage/ObjectStore.ts'
import { discardUpload } from './discardUpload.ts'
import { beginUpload, noSuchUpload } from './receiveUpload.ts'

/** How a browser refers to an upload. Its `uploadId` is the last part of the key, not the store's id. */
export interface UploadReference {
  uploadId: string
  key: string
}

/** Starts a multipart upload (uploads-12). @throws HttpError 413, 429 */
export async function createMultipart(
  context: Context,
  listener: string,
  file: { name: string; type: string | null; size: number | null; purpose?: 'file' | 'import' },
): Promise<UploadReference> {
  const { db, integrations } = context
  const { key } = await beginUpload(context, listener, { purpose: 'file', inParts: true, ...file })
  try {
    const uploadId = await integrations.store.startParts(key, file.type ?? 'application/octet-stream')
    await db`update uploads set upload_id = ${uploadId} where key = ${key}`
  } catch (error) {
    await db`delete from uploads where key = ${key}`
    throw error
  }
  return { uploadId: key.split('/').at(-1) ?? '', key }
}

/** @throws HttpError 404 */
export async function listParts(
  context: Context,
  listener: string,
  reference: UploadReference,
): Promise<Part[]> {
  return listStoredParts(context, await findUpload(context, listener, reference))
}

/** @throws HttpError 400 for an invalid part number, 404, 413 when the parts so far are larger than announced */
export async function signPart(
  context: Context,
  listener: string,
  reference: UploadReference & { partNumber: string },
): Promise<SignedAddress> {
  const part = Number(reference.partNumber)
  const upload = await findUpload(context, listener, reference)
  if (!/^\d+$/.test(reference.partNumber) || part < 1 || part > MAX_PARTS) {
    throw new HttpError(400, `The part number must be between 1 and ${MAX_PARTS}.`)
  }
  await countBytes(context, upload, await listStoredParts(context, upload))
  return context.integrations.store.signPart(upload.key, upload.uploadId, part, Number(upload.size))
}

/** As long as the call's deadline. */
const COMPLETE_LOCK: Lock = {
  name: 'complete-upload',
  seconds: 60,
  message: 'The upload is already being completed. Please try again in a moment.',
  status: 409,
}

/**
 * Joins the parts into a file; repeating the call changes nothing.
 * @throws HttpError 400 for parts that did not arrive, are out of order or too small, 404, 409 while another call
 * does it, 413
 */
export async function completeMultipart(
  context: Context,
  listener: string,
  reference: UploadReference,
  parts: Pick<Part, 'number' | 'etag'>[],
): Promise<void> {
  // Another listener's key must not lock its owner out.
  const { key, completedAt } = await findUpload(context, listener, reference, 'all')
  if (completedAt) return
  await withLock(context.db, COMPLETE_LOCK, key, () => joinParts(context, listener, reference, parts))
}

async function joinParts(
  context: Context,
  listener: string,
  reference: UploadReference,
  parts: Pick<Part, 'number' | 'etag'>[],
): Promise<void> {
  const { db, integrations } = context
  const upload = await findUpload(context, listener, reference, 'all')
  if (upload.completedAt) return
  const storedParts = await listStoredParts(context, upload)
  const sizes = new Map(storedParts.map(({ number, size }) => [number, size]))
  if (parts.some(({ number }) => !sizes.has(number))) throw mismatchedParts()
  const sized = parts.map(({ number }) => ({ number, size: sizes.get(number) ?? 0 }))
  checkParts(sized)
  const size = await countBytes(context, upload, sized)
  if (!(await integrations.store.joinParts(upload.key, upload.uploadId, parts))) {
    throw (await integrations.store.listParts(upload.key, upload.uploadId))
      ? mismatchedParts()
      : noSuchUpload()
  }
  const { count } = await db`
    update uploads set completed_at = now(), size = ${size}
    where key = ${upload.key} and discarded_at is null`
  if (count === 0) {
    await integrations.store.remove(upload.key)
    throw noSuchUpload()
  }
}

/** @throws HttpError 404 */
export async function abortMultipart(
  context: Context,
  listener: string,
  reference: UploadReference,
): Promise<void> {
  const upload = await findUpload(context, listener, reference)
  await discardUpload(context.db, context.integrations.store, upload)
}

async function listStoredParts({ integrations }: Context, upload: StartedUpload): Promise<Part[]> {
  const parts = await integrations.store.listParts(upload.key, upload.uploadId)
  if (!parts) throw noSuchUpload()
  return parts
}

/** A bucket takes parts of any size. Discards the upload when they are too large. @throws HttpError 413 */
async function countBytes(
  { db, integrations }: Context,
  upload: StartedUpload,
  parts: { size: number }[],
): Promise<number> {
  const bytes = parts.reduce((sum, { size }) => sum + size, 0)
  if (bytes <= Number(upload.size)) return bytes
  await discardUpload(db, integrations.store, upload)
  throw new HttpError(413, 'The file is larger than announced. It was deleted.')
}

const mismatchedParts = () => new HttpError(400, 'These parts do not match the uploaded parts.')

function checkParts(parts: { number: number; size: number }[]): void {
  for (const [index, { number, size }] of parts.entries()) {
    if (index > 0 && number <= (parts[index - 1]?.number ?? 0)) {
      throw new HttpError(400, 'The parts must be in order.')
    }
    if (index < parts.length - 1 && size < MIN_PART_BYTES) {
      throw new HttpError(400, `Every part except the last must have at least ${MIN_PART_BYTES} bytes.`)
    }
  }
}

interface StartedUpload {
  key: string
  /** The store's id of it. */
  uploadId: string
  /** The maximum bytes. */
  size: string
  completedAt: Date | null
}

/** Another listener's key, or one that does not belong to the id, is answered like an unknown one. */
async function findUpload(
  { db }: Context,
  listener: string,
  reference: UploadReference,
  among: 'all' | 'unfinished' = 'unfinished',
): Promise<StartedUpload> {
  if (reference.key !== uploadKey(listener, reference.uploadId)) throw noSuchUpload()
  const [upload] = await db<StartedUpload[]>`
    select key, upload_id, size, completed_at from uploads
    where key = ${reference.key} and user_id = ${listener} and upload_id is not null and size is not null and expires_at > now()
      and discarded_at is null and (completed_at is null or ${among} = 'all')`
  if (!upload) throw noSuchUpload()
  return upload
}
