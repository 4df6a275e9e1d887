import { hkdfSync } from 'node:crypto'
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Duplex, pipeline } from 'node:stream'
import * as z from 'zod'
import { RemoteProvider } from '../../../contract/uploads.ts'

/* How the server and the Companion process talk to each other. */

/** Path of Companion's calls, on the server and on Companion. */
export const COMPANION_PATH = '/companion'

/** On Companion only: the providers with keys, as JSON. */
export const PROVIDERS_PATH = '/providers'

/** Header with the listener's id. */
export const COMPANION_LISTENER_HEADER = 'x-listener'

/** The token with which the server authenticates its calls. Both processes derive it from SESSION_SECRET. */
export function companionToken(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'calls to companion', 32)).toString('base64url')
}

/** A file to fetch. The request names the file; the server alone decides where it goes. */
export interface RemoteFile {
  key: string
  /** Where Companion sends it by PUT. */
  address: string
  name: string
  type: string
}

/** The providers with keys, or why Companion did not answer. */
export type Providers = { providers: RemoteProvider[] } | { failure: string }

/** Milliseconds for the list of providers, and without data for any other call. */
const LIST_TIMEOUT = 2000
const IDLE_TIMEOUT = 30_000

/** Passes listeners' calls on to the Companion process (`npm run companion`). */
export class CompanionClient {
  readonly #url: string
  readonly #token: string

  constructor(url: string, secret: string) {
    this.#url = url
    this.#token = companionToken(secret)
  }

  async listProviders(): Promise<Providers> {
    try {
      const answer = await fetch(this.#url + PROVIDERS_PATH, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(LIST_TIMEOUT),
        redirect: 'error',
      })
      if (answer.status === 401) return { failure: 'its SESSION_SECRET differs' }
      return { providers: z.array(RemoteProvider).parse(await answer.json()) }
    } catch (error) {
      return { failure: reasonOf(error) }
    }
  }

  /** The listener is authenticated, and the body was read if `file` is given. Answers 502 without Companion. */
  forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    { listener, file }: { listener: string; file?: RemoteFile },
  ): void {
    const outgoing = this.#request(incoming, {
      [COMPANION_LISTENER_HEADER]: listener,
      ...(file ? { 'content-type': 'application/json' } : {}),
    })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, forwardedHeaders(answer.headers))
      pipeline(answer, response, () => {})
    })
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502, JSON_TYPE).end(JSON.stringify({ message: COMPANION_UNREACHABLE }))
    })
    response.on('close', () => outgoing.destroy())
    if (file) outgoing.removeHeader('content-length')
    if (file) outgoing.end(JSON.stringify(uploadRequestBody(file)))
    else incoming.pipe(outgoing)
  }

  /** The WebSocket that reports a transfer's progress. Its listener is authenticated. */
  upgrade(incoming: IncomingMessage, socket: Duplex): void {
    const outgoing = this.#request(incoming, { connection: 'Upgrade', upgrade: 'websocket' })
    outgoing.on('upgrade', ({ rawHeaders }, upstream, first) => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [`${name}: ${rawHeaders[at + 1]}`]))
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.write(first)
      upstream.setTimeout(0)
      pipeline(upstream, socket, () => upstream.destroy())
      pipeline(socket, upstream, () => socket.destroy())
    })
    outgoing.on('response', () => socket.destroy())
    outgoing.on('error', () => socket.destroy())
    socket.once('close', () => outgoing.destroy())
    outgoing.end()
  }

  /** Of the browser's headers, only those that Companion needs: no cookies. */
  #request({ method, url = '', headers }: IncomingMessage, own: Record<string, string>) {
    const send = this.#url.startsWith('https:') ? requestHttps : requestHttp
    const forwarded = Object.entries(headers).filter(
      ([name]) => FORWARDED_HEADERS.has(name) || name.startsWith('sec-websocket-'),
    )
    const outgoing = send(this.#url, {
      method,
      // Not resolved, because dots could lead to calls that listeners may not make.
      path: url,
      // A new connection, because a restart of Companion may have closed an old one.
      agent: false,
      timeout: IDLE_TIMEOUT,
      headers: {
        ...Object.fromEntries(forwarded),
        ...own,
        authorization: `Bearer ${this.#token}`,
      },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('Companion timed out.')))
    return outgoing
  }
}

export const COMPANION_UNREACHABLE = 'The service does not answer right now. Please try again in a moment.'

/** Below it are the sockets that report progress. */
export const PROGRESS_PATH = `${COMPANION_PATH}/api/`

/** Ignores the destination that the page names: Companion would send the file anywhere. */
const uploadRequestBody = ({ address, name, type }: RemoteFile) => ({
  metadata: { name, type },
  protocol: 'multipart',
  httpMethod: 'PUT',
  useFormData: false,
  endpoint: address,
})

const FORWARDED_HEADERS = new Set([
  'accept',
  'content-length',
  'content-type',
  'origin',
  'uppy-auth-token',
  'uppy-credentials-params',
  'uppy-versions',
])

/** Without cookies and what is for one connection (RFC 9110 §7.6.1). */
function forwardedHeaders({
  connection,
  'keep-alive': _,
  'transfer-encoding': __,
  'set-cookie': ___,
  ...headers
}: IncomingMessage['headers']) {
  return headers
}

/** Never the address: it may contain a password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : error.name
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
