import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { RemoteProvider } from '../../../contract/uploads.ts'
import type { Context } from '../../context.ts'
import { claimUpgrades } from '../../http/claimUpgrades.ts'
import { HttpError, signInRequired } from '../../http/HttpError.ts'
import { disableBodyParsing } from '../../http/incomingBytes.ts'
import type { Authenticator } from '../../http/route.ts'
import {
  COMPANION_PATH,
  PROGRESS_PATH,
  type RemoteFile,
} from '../../integrations/companion/CompanionClient.ts'
import { deleteUpload } from '../discardUpload.ts'
import { beginUpload } from '../receiveUpload.ts'

/** Bytes of the page's description of a remote file. */
const MAX_BODY_LENGTH = 64 * 1024

/**
 * The routes of Uppy's remote providers, which the Companion process answers. They need a session (uploads-2), and
 * have a Fastify scope of their own, because bodies and responses are forwarded unread.
 */
export function addRemoteProviders(
  app: FastifyInstance,
  context: Context,
  authenticator: Authenticator,
): void {
  const { companion } = context.integrations
  if (!companion) return
  app.register(async (scope) => {
    disableBodyParsing(scope)
    for (const name of RemoteProvider.options) {
      const grant = `${COMPANION_PATH}/connect/${name === 'drive' ? 'googledrive' : name}`
      for (const path of [`${COMPANION_PATH}/${name}`, `${COMPANION_PATH}/search/${name}`]) {
        scope.get(`${path}/*`, forward)
        scope.post(`${path}/get/*`, transfer)
      }
      scope.get(grant, forward)
      scope.get(`${grant}/*`, forward)
      // Companion's other POST calls could change keys, or send a file anywhere.
      scope.post(`${COMPANION_PATH}/${name}/refresh-token`, forward)
    }
  })
  const { basePath } = context.env
  const isProgressSocket = ({ url = '' }: IncomingMessage) => url.startsWith(`${basePath}${PROGRESS_PATH}`)
  claimUpgrades(app.server, isProgressSocket)
  // Through the router, so that limits and sessions are as for other calls.
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!isProgressSocket(request)) return
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    socket.unshift(head)
    app.routing(request, response)
  })
  app.get(`${PROGRESS_PATH}*`, { schema: { hide: true } }, async (request, reply) => {
    await requireListener(request)
    if (request.headers.upgrade === undefined) return reply.callNotFound()
    reply.hijack()
    reply.raw.detachSocket(request.raw.socket)
    companion.upgrade(request.raw, request.raw.socket)
  })

  async function forward(request: FastifyRequest, reply: FastifyReply, file?: RemoteFile): Promise<void> {
    const listener = await requireListener(request)
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...COMPANION_HEADERS })) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    companion?.forward(request.raw, reply.raw, { listener, ...(file ? { file } : {}) })
  }

  async function transfer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const file = await beginRemoteUpload(context, await requireListener(request), request)
    reply.raw.once('finish', () => discardRejected(reply.raw.statusCode, file.key))
    await forward(request, reply, file)
  }

  /** Releases the reservation when the provider sent no file. */
  function discardRejected(status: number, key: string): void {
    if (status < 400) return
    deleteUpload(context.db, context.integrations.store, { key, uploadId: null }).catch((error: unknown) =>
      context.log.warn({ err: error }, 'a rejected upload could not be deleted; will retry'),
    )
  }

  async function requireListener(request: FastifyRequest): Promise<string> {
    const user = await authenticator.authenticate(request)
    if (!user) throw signInRequired()
    return user.id
  }
}

/** Its pages contain an inline script, which passes a token to the opening page and closes them. */
const COMPANION_HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'unsafe-none',
  'cache-control': 'no-store',
}

/** Reserves quota for a photo, the only kind of file that is fetched from providers. */
async function beginRemoteUpload(
  context: Context,
  listener: string,
  request: FastifyRequest,
): Promise<RemoteFile> {
  const parsed = RemoteFileBody.safeParse(parseJson(await readText(request)))
  if (!parsed.success) throw new HttpError(400, 'The body must name the file.')
  const { name, type } = parsed.data.metadata
  const file = { purpose: 'profile-photo', name, type, size: null } as const
  const { key, limit } = await beginUpload(context, listener, file)
  const { url } = await context.integrations.store.signUpload(key, { type, limit, size: null })
  return { key, address: url, name, type }
}

const RemoteFileBody = z.object({
  metadata: z.object({
    name: z.string().max(500).default('file'),
    type: z.string().max(200).default('application/octet-stream'),
  }),
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function readText({ raw }: FastifyRequest): Promise<string> {
  let text = ''
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.length > MAX_BODY_LENGTH) throw new HttpError(413, 'The body is too large.')
  }
  return text
}
