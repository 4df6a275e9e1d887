import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { photoQueue } from './makePhoto.ts'
import { assignProviderPhoto, storePhoto } from './setPhoto.ts'

/** Attempts until a picture is given up; they spread over a day. */
const MAX_ATTEMPTS = 12

type PictureContext = Pick<Context, 'db' | 'log'> & { integrations: Pick<Integrations, 'store' | 'pictures'> }

interface PendingPicture {
  userId: string
  address: string
  attempts: number
}

/**
 * Fetches the pictures of sign-in providers, newest accounts first, and makes them profile photos, so that no foreign
 * host learns who looks at them (uploads-13). A failure is retried after 1, 2, 4 … minutes, at most 6 hours apart.
 */
export async function fetchProviderPictures(context: PictureContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [pending] = await claimNext(context.db)
    if (!pending) return
    await fetchPicture(context, pending, signal)
  }
}

/** The next attempt is stored before this one starts, so that a server that crashes does not ask in a loop. */
async function claimNext(db: Database): Promise<PendingPicture[]> {
  return db<PendingPicture[]>`
    update provider_pictures p set
      attempts = p.attempts + 1,
      next_attempt_at = now() + least(power(2, least(p.attempts, 10)), 360) * interval '1 minute'
    where p.user_id = (
      select user_id from provider_pictures where next_attempt_at < 'infinity' and next_attempt_at <= now()
      order by user_id desc limit 1 for update skip locked)
    returning p.user_id, p.address, p.attempts`
}

async function fetchPicture(
  context: PictureContext,
  pending: PendingPicture,
  signal: AbortSignal,
): Promise<void> {
  const { db, integrations, log } = context
  const { userId, address, attempts } = pending
  const found = await integrations.pictures.download(address, signal)
  if ('failure' in found) {
    log.info({ reason: found.failure, attempts }, 'the picture of a sign-in provider was not fetched')
    if (found.final || attempts >= MAX_ATTEMPTS) await abandonPicture(db, pending)
    return
  }
  try {
    const photo = await storePhoto(
      context,
      userId,
      address,
      async () => found.content,
      (make) => photoQueue.run('provider pictures', make, signal),
    )
    await assignProviderPhoto(context, pending, photo)
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof HttpError)) throw error
    log.info({ reason: error.message, attempts }, 'the picture of a sign-in provider was not used')
    if (error.status === 400 || attempts >= MAX_ATTEMPTS) await abandonPicture(db, pending)
  }
}

/** Until the next sign-in. */
async function abandonPicture(db: Database, { userId, address }: PendingPicture): Promise<void> {
  await db`
    update provider_pictures set next_attempt_at = 'infinity'
    where user_id = ${userId} and address = ${address}`
}
