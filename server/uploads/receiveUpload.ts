import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import type { IncomingBytes } from '../http/incomingBytes.ts'
import { ExpiredAddress } from '../integrations/storage/LocalStore.ts'
import { uploadKey } from '../integrations/storage/objectKeys.ts'
import type { SignedQuery } from '../integrations/storage/signature.ts'

/**
 * Receives a file at a signed address of the local disk.
 * @throws HttpError 403 for an address that is not ours, has expired or was used, 404 for an aborted upload, 400 and
 * 413 for other bytes than announced, 408 for a slow sender, 409 when it is sent again, 429, 507 for a full disk
 */
export async function receiveUpload(
  { db, integrations: { store } }: Context,
  { owner, object }: { owner: string; object: string },
  query: SignedQuery,
  bytes: IncomingBytes,
): Promise<{ etag: string }> {
  const { local } = store
  if (!local) throw new HttpError(404, 'This server does not receive files.')
  const key = uploadKey(owner, object)
  const permit = local.verifyAddress(key, query)
  const [upload] = await db<{ inParts: boolean; isComplete: boolean }[]>`
    select upload_id is not null as in_parts, completed_at is not null as is_complete from uploads
    where key = ${key} and expires_at > now()`
  if (!upload || upload.inParts !== (permit.part !== null)) throw noSuchUpload()
  // A page that lost the response requests another address.
  if (upload.isComplete) throw upload.inParts ? noSuchUpload() : new ExpiredAddress()
  const { etag, size } = await local.receive(permit, bytes)
  if (permit.part === null) {
    const { count } = await db`
      update uploads set size = ${size}, completed_at = now() where key = ${key}`
    if (count === 0) {
      await local.remove(key)
      throw noSuchUpload()
    }
  }
  return { etag }
}

export const noSuchUpload = () => new HttpError(404, 'There is no such upload.')
