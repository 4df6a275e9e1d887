import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { MAX_PHOTO_BYTES, RemoteProvider } from '../../../contract/uploads.ts'
import { BadEnvironment, type Env, keyNames } from '../../env.ts'
import { packagePath } from '../../packagePath.ts'
import {
  COMPANION_LISTENER_HEADER,
  COMPANION_PATH,
  COMPANION_UNREACHABLE,
  companionToken,
  PROVIDERS_PATH,
} from './CompanionClient.ts'

/**
 * Uppy's Companion, which fetches files from remote providers and sends them to the store. It answers only calls that
 * carry the server's token; the server authenticates listeners and decides where a file goes.
 */
export async function hostCompanion(env: Env, secret: string, log: Logger): Promise<Server> {
  const companion = await loadCompanion()
  forwardConsoleToLog(log)
  const { app: handle } = companion.app(companionOptions(env, secret))
  // Companion attaches to a server. This one never listens; authenticated requests are passed to it.
  const sockets = createServer()
  companion.socket(sockets)
  const sessions = new CompanionSessions()
  const providers = RemoteProvider.options.filter((name) => name in env.remoteProviders)
  const isServed = servedPaths(providers)
  const isAllowed = createTokenCheck(secret)

  const server = createServer((request: CompanionRequest, response: CompanionResponse) => {
    const { url = '' } = request
    if (url === '/health') return answer(response, 200, { status: 'ok' })
    if (!isAllowed(request)) return answer(response, 401, { message: 'Only the server may call Companion.' })
    if (url === PROVIDERS_PATH) return answer(response, 200, providers)
    if (!isServed.test(url)) return answer(response, 404, { message: NO_SUCH_CALL })
    const session = sessions.get(String(request.headers[COMPANION_LISTENER_HEADER]))
    request.session = session
    // The tokens with which thumbnails are read stay here: who uses the browser next must not have them.
    request.cookies = session.cookies
    response.cookie = (name, value) => {
      session.cookies[name] = value
    }
    // Companion recognises its own addresses by it.
    request.originalUrl = env.basePath + url
    request.url = url.slice(COMPANION_PATH.length)
    replaceServerErrors(response)
    handle(request, response, (error) => {
      if (response.headersSent) return response.end()
      answer(response, ...answerForError(error))
    })
  })
  server.on('upgrade', (request, socket, head) => {
    if (isAllowed(request)) sockets.emit('upgrade', request, socket, head)
    else socket.destroy()
  })
  return server
}

/** Unsplash is searched without signing in. */
const WITHOUT_SECRET: RemoteProvider[] = ['unsplash']

/** @throws BadEnvironment that names what is missing, when no provider or a provider without its secret is configured. */
export function requireProviderKeys(env: Env): void {
  const configured = RemoteProvider.options.filter((name) => {
    const { key, secret } = keyNames(name)
    return env[key] || env[secret]
  })
  if (configured.length === 0) {
    const all = RemoteProvider.options.map((name) => `  ${requiredSettings(name).join(' and ')}`)
    throw new BadEnvironment(`No remote provider has keys. Set the keys of at least one:\n${all.join('\n')}`)
  }
  const missing = configured.flatMap(requiredSettings).filter((name) => !env[name])
  if (missing.length > 0)
    throw new BadEnvironment(`Not set: ${missing.join(', ')}. A provider needs its key and its secret.`)
}

function requiredSettings(name: RemoteProvider) {
  const { key, secret } = keyNames(name)
  return WITHOUT_SECRET.includes(name) ? [key] : [key, secret]
}

/** The package is installed in companion/, because few installations need it. */
async function loadCompanion(): Promise<CompanionPackage> {
  const { resolve } = createRequire(packagePath('companion/package.json'))
  try {
    return await import(pathToFileURL(resolve('@uppy/companion')).href)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new Error(
      'Companion is not installed. Start it with npm run companion, or run npm ci in companion/.',
    )
  }
}

const servedPaths = (providers: RemoteProvider[]) => {
  const names = providers.join('|')
  const grants = providers.map((name) => (name === 'drive' ? 'googledrive' : name)).join('|')
  return new RegExp(`^${COMPANION_PATH}/(?:(?:search/)?(?:${names})/|connect/(?:${grants})(?:[/?]|$))`)
}

function createTokenCheck(secret: string): (request: IncomingMessage) => boolean {
  const expected = Buffer.from(`Bearer ${companionToken(secret)}`)
  return ({ headers }) => {
    const actual = Buffer.from(headers.authorization ?? '')
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }
}

/** Companion answers 500 for a provider that it cannot reach. */
function replaceServerErrors(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) =>
    writeHead(status === 500 ? 502 : status, ...rest)
}

/** Companion has logged the error. */
function answerForError(error: { status?: number } | null | undefined): [status: number, body: object] {
  if (!error) return [404, { message: NO_SUCH_CALL }]
  if (error.status && error.status >= 400 && error.status < 500)
    return [400, { message: 'The request cannot be read.' }]
  return [502, { message: COMPANION_UNREACHABLE }]
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

const NO_SUCH_CALL = 'There is no such call.'

function companionOptions(env: Env, secret: string): object {
  const filePath = join(env.DATA_DIR, 'uploads', 'remote')
  mkdirSync(filePath, { recursive: true })
  const { host, protocol, origin } = new URL(env.publicUrl)
  return {
    // A key of its own, so that what the package signs proves nothing elsewhere.
    secret: Buffer.from(hkdfSync('sha256', secret, '', 'tokens of companion', 32)).toString('base64url'),
    filePath,
    server: { host, protocol: protocol.slice(0, -1), path: env.basePath + COMPANION_PATH },
    providerOptions: env.remoteProviders,
    uploadUrls: [`^${env.publicUrl.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/uploads/`],
    corsOrigins: [origin],
    maxFileSize: MAX_PHOTO_BYTES,
    metrics: false,
  }
}

/** Milliseconds after a listener's last call. */
const SESSION_LIFETIME = 15 * 60_000

/** Companion's sessions at providers, by listener, in memory. */
class CompanionSessions {
  readonly #sessions = new Map<string, { session: CompanionSession; until: number }>()

  get(listener: string): CompanionSession {
    const now = Date.now()
    for (const [name, { until }] of this.#sessions) if (until < now) this.#sessions.delete(name)
    const { session } = this.#sessions.get(listener) ?? { session: { cookies: {} } }
    this.#sessions.set(listener, { session, until: now + SESSION_LIFETIME })
    return session
  }
}

/**
 * Companion logs to the console: a head such as `companion: TIME [error] TAG`, then a text. Only the first line of
 * its warnings and errors goes to our log, because the rest describes requests, with their tokens.
 */
function forwardConsoleToLog(log: Logger): void {
  console.log = (head: unknown, text: unknown = '') => {
    const [, level, tag] = /\[(\w+)\] *(.*)$/.exec(String(head)) ?? []
    if (level !== 'warn' && level !== 'error') return
    const [line = ''] = String(text).split('\n')
    log[level]({ tag }, line)
  }
}

interface CompanionSession {
  cookies: Record<string, string>
}

type CompanionRequest = IncomingMessage & {
  session?: CompanionSession
  cookies?: Record<string, string>
  originalUrl?: string
}

type CompanionResponse = ServerResponse & { cookie?: (name: string, value: string) => void }

type CompanionHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: { status?: number }) => void,
) => void

/** The part of @uppy/companion that is used. */
interface CompanionPackage {
  app(options: object): { app: CompanionHandler }
  socket(server: Server): void
}
