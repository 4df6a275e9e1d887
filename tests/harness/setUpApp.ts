import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import * as z from 'zod/mini'
import { Email } from '../../contract/email.ts'
import { type AppOptions, buildApp } from '../../server/app.ts'
import { findOrCreateAccount } from '../../server/auth/accounts.ts'
import { createSession } from '../../server/auth/sessions.ts'
import type { Context } from '../../server/context.ts'
import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'
import { asServer } from '../../server/db/embedded/connection.ts'
import { readFromPrimary, readFromReplica } from '../../server/db/reader.ts'
import { readEnv } from '../../server/env.ts'
import { createIntegrations } from '../../server/integrations/integrations.ts'
import type { Store } from '../../server/integrations/storage/createStore.ts'
import { createLog } from '../../server/process/log.ts'
import { findSecrets } from './findSecrets.ts'
import { createTestDatabase } from './setUpDatabase.ts'
import { freePort } from './startProgram.ts'
import { type Visitor, visitorAt } from './visitor.ts'

export interface TestApp {
  /** Its address, such as http://127.0.0.1:40123. */
  url: string
  /** As the owner of the tables. */
  db: Database
  target: ConnectionTarget
  /** Its DATA_DIR. */
  dataDir: string
  /** Where it stores files. */
  store: Store
  /** Its error log, one line each. */
  errors: string[]
  /** Its whole log, one line each. No line may contain an e-mail or a token; `close` checks. */
  logged: string[]
  /** A visitor without cookies. */
  visitor(): Visitor
  /**
   * A new listener, or the one with this address, signed in by a session of its own: tests of signing in ask for a
   * link.
   */
  signIn(email?: string): Promise<Visitor & { id: string; email: string }>
  /** Renews its clients of outside services, with changes to its environment: no circuit breaker is open. */
  renewServices(env?: Record<string, string>): void
  /** Another server on the same database, with changes to its environment, listening on `host`. */
  another(env?: Record<string, string>, host?: string): Promise<TestApp>
}

/** Options for the server that tests override. */
interface Options
  extends Pick<AppOptions, 'callsPerMinute' | 'connections' | 'maxEventLoopDelay' | 'timeouts'> {
  /** The path of PUBLIC_URL, such as `/music`. */
  subPath?: string
}

/** The real server with a database of its own for this test file. Filled in before the first test. */
export function setUpApp(
  env: Record<string, string> | (() => Record<string, string>) = {},
  options: Options = {},
): TestApp {
  const app = {} as TestApp
  let close = async () => {}
  beforeAll(async () => {
    const database = await createTestDatabase()
    close = database.drop
    const running = await startApp(
      database.target,
      typeof env === 'function' ? env() : env,
      undefined,
      options,
    )
    close = async () => {
      await running.close()
      await database.drop()
    }
    Object.assign(app, running.app)
  })
  afterAll(() => close())
  return app
}

/** The server on an existing database. `close` also ends what `another` started. */
export async function startApp(
  target: ConnectionTarget,
  given: Record<string, string> = {},
  host = '127.0.0.1',
  { subPath = '', ...options }: Options = {},
): Promise<{ app: TestApp; close: () => Promise<void> }> {
  const errors: string[] = []
  const logLines: string[] = []
  const log = createLog('debug', {
    write(line) {
      logLines.push(line)
      if ((JSON.parse(line) as { level: number }).level >= 50) errors.push(line)
    },
  })
  // Tests write and count thousands of rows at once, also on machines that are several times slower.
  const settings = { statement_timeout: '60000' }
  // The server has its own role, and tests that of the tables' owner.
  const db = connect(asServer(target), { max: 8, settings })
  const owner = connect(target, { max: 8, settings })
  const dataDir = given.DATA_DIR ?? (await mkdtemp(path.join(os.tmpdir(), 'bob-app-')))
  const closers: (() => Promise<void>)[] = [
    async () => {
      if (!given.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
    },
    () => db.end({ timeout: 5 }),
    () => owner.end({ timeout: 5 }),
  ]
  const close = async () => {
    for (const each of closers.toReversed()) await each()
    const linesWithSecrets = logLines.filter((line) => findSecrets(line).length > 0)
    if (linesWithSecrets.length > 0)
      throw new Error(`The log tells what nobody may read there:\n${linesWithSecrets.join('\n')}`)
  }
  try {
    let context = {} as Context
    let renewServices: TestApp['renewServices'] = () => {}
    const { server, origin } = await listen(host, async (port) => {
      const services = (changes: Record<string, string> = {}) => {
        const env = readEnv({
          NODE_ENV: 'test',
          PORT: String(port),
          DATA_DIR: dataDir,
          ...(subPath && { PUBLIC_URL: `http://localhost:${port}${subPath}` }),
          ...UNREACHABLE_SERVICES,
          ...given,
          ...changes,
        })
        return { env, integrations: createIntegrations(env, log, db, SESSION_SECRET) }
      }
      renewServices = (changes) => void Object.assign(context, services(changes))
      const { env, integrations } = services()
      // The tests run in this process, so the delay of its event loop says nothing about the server.
      const read = env.DATABASE_READ_URL
        ? readFromReplica(db, connect(env.DATABASE_READ_URL, { max: 4 }), () => {}, REPLICA_CHECK)
        : readFromPrimary(db)
      closers.push(() => read.close())
      context = { env, db, read, log, integrations, secret: SESSION_SECRET }
      return buildApp(context, { pages: 'none', maxEventLoopDelay: 0, ...options })
    })
    closers.push(() => server.close())
    const url = origin + context.env.basePath
    const app: TestApp = {
      url,
      db: owner,
      target,
      dataDir,
      store: context.integrations.store,
      errors,
      logged: logLines,
      visitor: () => visitorAt(url),
      signIn: (email = `listener-${++people}@example.test`) => signIn(owner, url, email),
      renewServices,
      async another(env = {}, at = host) {
        const other = await startApp(target, { ...given, ...env }, at, { subPath, ...options })
        closers.push(other.close)
        return other.app
      },
    }
    return { app, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The settings of a server in production. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://bangers.example',
  SESSION_SECRET: 's'.repeat(32),
}

/** The same without https, for direct calls: cookies have their plain names. */
export const PLAIN_PRODUCTION = { ...PRODUCTION, PUBLIC_URL: 'http://localhost:1' }

/** SESSION_SECRET, for other processes of the same installation. */
export const SESSION_SECRET = 'x'.repeat(32)

/** Milliseconds; tests wait for the result. */
const REPLICA_CHECK = 100

/** The discard port: a test without its stand-in calls no outside service. */
const UNREACHABLE_URL = 'http://127.0.0.1:9'

const UNREACHABLE_SERVICES = {
  COVERART_URL: UNREACHABLE_URL,
  DEEZER_URL: UNREACHABLE_URL,
  LISTENBRAINZ_URL: UNREACHABLE_URL,
  MUSICBRAINZ_URL: UNREACHABLE_URL,
  WIKIDATA_URL: UNREACHABLE_URL,
  DISCOGS_URL: UNREACHABLE_URL,
  ARCHIVE_URL: UNREACHABLE_URL,
  SPOTIFY_ACCOUNTS_URL: UNREACHABLE_URL,
  SPOTIFY_API_URL: UNREACHABLE_URL,
  YOUTUBE_API_URL: UNREACHABLE_URL,
  YOUTUBE_OEMBED_URL: UNREACHABLE_URL,
}

let people = 0

async function signIn(db: Database, url: string, email: string) {
  const id = await findOrCreateAccount(db, z.parse(Email, email))
  const token = await createSession(db, id, null)
  if (!token) throw new Error('The account is suspended.')
  return { ...visitorAt(url, new Map([['session', token]])), id, email }
}

/** The address must be known before the server is built, and another program may take the port meanwhile. */
async function listen(
  host: string,
  build: (port: number) => Promise<FastifyInstance>,
  tries = 5,
): Promise<{ server: FastifyInstance; origin: string }> {
  const port = await freePort()
  const server = await build(port)
  try {
    await server.listen({ port, host })
    return { server, origin: `http://127.0.0.1:${port}` }
  } catch (error) {
    await server.close()
    if (tries === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listen(host, build, tries - 1)
  }
}

type Listener = Awaited<ReturnType<TestApp['signIn']>>

/** A listener who is signed in: another one for each test. */
export function setUpListener(app: TestApp): Listener {
  let listener: Listener
  beforeEach(async () => {
    listener = await app.signIn()
  })
  return new Proxy({} as Listener, { get: (_, name) => Reflect.get(listener, name) })
}
