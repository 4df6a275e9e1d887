import type { Import } from '../../contract/imports.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { type Lock, withLock } from '../http/limits/limits.ts'
import { createImport, getImport } from '../imports/imports.ts'
import { discardFile } from '../imports/sweepImports.ts'
import type { Feedback } from '../integrations/listenbrainzAccounts.ts'
import { beginUpload } from '../uploads/receiveUpload.ts'
import { explainTrouble, markRefused, requireLink } from './links.ts'

const LOCK: Lock = { name: 'loves', seconds: 90, message: 'Your loves are being read already.', status: 409 }

/** Milliseconds after which no further page is read, so that nothing is made after the call's deadline. */
const MAX_DURATION = 40_000

/**
 * Stores the loves and hates of the account as a file like ListenBrainz's own export, and makes an import of it, unless one
 * waits to be read (library-36).
 * @throws HttpError 400, 404, 409 or 502 when there are none to read, and as an upload or an import does.
 */
export const importLoves = (context: Context, listener: string): Promise<Import> =>
  withLock(context.db, LOCK, listener, () => readLoves(context, listener))

async function readLoves(context: Context, listener: string): Promise<Import> {
  const { db } = context
  const { listenbrainzAccounts, store } = context.integrations
  const { link, token } = await requireLink(context, listener)
  const name = `${listenbrainzAccounts.name.replace(/[^\w.-]/g, '-')}.jsonl`
  const [waiting] = await db<{ id: string }[]>`
    select id from imports
    where user_id = ${listener} and file_name = ${name} and status in ('waiting', 'reading') limit 1`
  if (waiting) return getImport(db, listener, waiting.id)
  const options = { withNames: true, signal: AbortSignal.timeout(MAX_DURATION) }
  const answer = await listenbrainzAccounts.readFeedback(token, link.userName, toLines, options)
  if ('trouble' in answer) {
    if (answer.trouble === 'refused') await markRefused(db, link)
    throw explainTrouble(listenbrainzAccounts.name, answer.trouble)
  }
  const file = Buffer.concat(answer.value)
  if (file.length === 0) throw new HttpError(400, 'There are no loves yet.')
  const type = 'application/jsonl'
  const { key } = await beginUpload(context, listener, { purpose: 'import', name, type, size: file.length })
  try {
    await store.write(key, file, type)
    return await createImport(context, listener, { key })
  } catch (error) {
    await discardFile(context, key)
    throw error
  }
}

/** As bytes, which take less memory than the entries. */
const toLines = (page: Feedback[]): Buffer =>
  Buffer.from(page.map((one) => `${JSON.stringify(one)}\n`).join(''))
