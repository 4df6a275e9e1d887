import type { Import } from '../../contract/imports.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { createImport } from '../imports/imports.ts'
import { beginUpload } from '../uploads/receiveUpload.ts'
import { explainTrouble, markRefused, requireLink } from './links.ts'

/**
 * Stores the loves and hates of the account as a file like ListenBrainz's own export, and makes an import of it (library-36).
 * @throws HttpError 400, 404, 409 or 502 when there are none to read, and as an upload or an import does.
 */
export async function importLoves(context: Context, listener: string): Promise<Import> {
  const { listenbrainzAccounts, store } = context.integrations
  const { link, token } = await requireLink(context, listener)
  const answer = await listenbrainzAccounts.readFeedback(token, link.userName, { withNames: true })
  if ('trouble' in answer) {
    if (answer.trouble === 'refused') await markRefused(context.db, link)
    throw explainTrouble(listenbrainzAccounts.name, answer.trouble)
  }
  if (answer.value.length === 0) throw new HttpError(400, 'There are no loves yet.')
  const file = Buffer.from(answer.value.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const type = 'application/jsonl'
  const name = `${listenbrainzAccounts.name.replace(/[^\w.-]/g, '-')}.jsonl`
  const { key } = await beginUpload(context, listener, { purpose: 'import', name, type, size: file.length })
  await store.write(key, file, type)
  return createImport(context, listener, { key })
}
