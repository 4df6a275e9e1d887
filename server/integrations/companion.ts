import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { ADDRESS_SECONDS, PHOTO_MAX_BYTES } from '../../contract/uploads.ts'
import type { Env } from '../env.ts'

/** Fetches files from remote providers and sends them to the store. Wraps Uppy's Companion. */
export interface Companion {
  /**
   * `request.url` is relative to `/companion`. The listener is authenticated, and the body was read if `file` is
   * given.
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    call: { listener: string; file?: RemoteFile },
  ): void
  /** The WebSocket that reports a transfer's progress. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** A file to fetch. The request names the file; the server alone decides where it goes. */
export interface RemoteFile {
  /** Its key in the store. */
  key: string
  /** Where Companion sends it by PUT; null for a bucket, which it writes to itself. */
  address: string | null
  name: string
  type: string
}

export const COMPANION_PATH = '/companion'

/** Milliseconds to complete sign-in at a provider. */
const SIGN_IN_TIME = 15 * 60_000

export async function createCompanion(env: Env, secret: string): Promise<Companion> {
  const companion = await import('@uppy/companion')
  const { app } = companion.app(optionsOf(env, secret))
  const handle = app as unknown as Handle
  // Companion attaches to a server. This one never listens; requests are passed to it.
  const sockets = createServer()
  companion.socket(sockets)
  const sessions = new Sessions()

  return {
    answer(request, response, { listener, file }) {
      const call = request as CompanionRequest
      call.session = sessions.of(listener)
      call.originalUrl = call.url
      call.url = call.url?.slice(COMPANION_PATH.length)
      if (file) {
        call.body = bodyFor(file)
        call._body = true
        call.storeKey = file.key
      }
      replaceServerErrors(response)
      handle(call, response, (error) => {
        if (response.headersSent) return response.end()
        const [status, message] = answerTo(error)
        response.writeHead(status, JSON_TYPE).end(JSON.stringify({ message }))
      })
    },
    upgrade: (...request) => void sockets.emit('upgrade', ...request),
  }
}

/** Companion answers 500 for a provider that it cannot reach. */
function replaceServerErrors(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) =>
    writeHead(status === 500 ? 502 : status, ...rest)
}

/** Companion has logged the error. */
function answerTo(error: { status?: number } | null | undefined): [status: number, message: string] {
  if (!error) return [404, 'There is no such call.']
  if (error.status && error.status >= 400 && error.status < 500) return [400, 'The request cannot be read.']
  return [502, 'The service does not answer right now. Please try again in a moment.']
}

/** Ignores the destination that the page names: Companion would send the file anywhere. */
const bodyFor = ({ address, name, type }: RemoteFile) => ({
  metadata: { name, type },
  ...(address === null
    ? { protocol: 's3-multipart' }
    : { protocol: 'multipart', httpMethod: 'PUT', useFormData: false, endpoint: address }),
})

function optionsOf(env: Env, secret: string): object {
  const filePath = join(env.DATA_DIR, 'uploads', 'remote')
  mkdirSync(filePath, { recursive: true })
  const { host, protocol, origin } = new URL(env.publicUrl)
  return {
    secret,
    filePath,
    server: { host, protocol: protocol.slice(0, -1), path: COMPANION_PATH },
    providerOptions: env.remoteProviders,
    uploadUrls: [`^${env.publicUrl.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/uploads/`],
    corsOrigins: [origin],
    maxFileSize: PHOTO_MAX_BYTES,
    metrics: false,
    ...(env.S3_BUCKET ? { s3: bucketOf(env) } : {}),
  }
}

const bucketOf = (env: Env) => ({
  bucket: env.S3_BUCKET,
  region: env.S3_REGION,
  key: env.S3_ACCESS_KEY_ID,
  secret: env.S3_SECRET_ACCESS_KEY,
  forcePathStyle: env.S3_FORCE_PATH_STYLE,
  expires: ADDRESS_SECONDS,
  getKey: ({ req }: { req: CompanionRequest }) => req.storeKey,
  ...(env.S3_ENDPOINT ? { endpoint: env.S3_ENDPOINT } : {}),
})

/**
 * Companion's sessions at providers, by listener. They live in this process, as does a transfer's progress, so with
 * several processes a listener must stay on one.
 */
class Sessions {
  readonly #sessions = new Map<string, { session: object; until: number }>()

  of(listener: string): object {
    const now = Date.now()
    for (const [name, { until }] of this.#sessions) if (until < now) this.#sessions.delete(name)
    const { session } = this.#sessions.get(listener) ?? { session: {} }
    this.#sessions.set(listener, { session, until: now + SIGN_IN_TIME })
    return session
  }
}

type CompanionRequest = IncomingMessage & {
  session?: object
  originalUrl?: string | undefined
  body?: unknown
  _body?: boolean
  storeKey?: string
}

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: { status?: number }) => void,
) => void

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
