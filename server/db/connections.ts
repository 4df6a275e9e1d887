import { DatabaseError, Pool, type PoolClient } from 'pg'
import { Gauge } from 'prom-client'
import { databaseErrors, processMetrics } from '../processMetrics.ts'
import { DatabaseClient, Hosts } from './client.ts'
import { type ConnectionTarget, readTarget } from './target.ts'

/** Milliseconds to wait for a free connection or a new one, shorter than the deadline of a call. */
export const CONNECT_TIMEOUT = 4500

/** Seconds after which a connection is replaced, where `renew` is set. */
const CONNECTION_LIFETIME = 45 * 60

export interface ConnectionOptions {
  max: number
  /** Settings of each session. */
  settings: Record<string, string>
  /** Milliseconds after which a connection is closed if the server does not respond; never by default. */
  responseTimeout?: number
  /** Whether connections are replaced from time to time, with the loss of temporary tables and settings of the session. */
  renew?: boolean
  onNotice?: (message: string) => void
}

/** There was no connection to the database, or it was lost during a statement. Calls answer with 503. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  readonly code = 'CONNECTION_LOST'
}

const openPools = new Set<Pool>()

new Gauge({
  name: 'banger_database_pool_connections',
  help: "Connections of the server's own pools, and callers that wait for one.",
  labelNames: ['state'],
  registers: [processMetrics],
  collect() {
    const sum = (count: (pool: Pool) => number) =>
      [...openPools].reduce((total, pool) => total + count(pool), 0)
    this.set(
      { state: 'idle' },
      sum((pool) => pool.idleCount),
    )
    this.set(
      { state: 'busy' },
      sum((pool) => pool.totalCount - pool.idleCount),
    )
    this.set(
      { state: 'waiting' },
      sum((pool) => pool.waitingCount),
    )
  },
})

/** Counts an error for operators, and returns it. */
export function countError(error: unknown): unknown {
  if (error instanceof DatabaseError) databaseErrors.inc({ code: error.code ?? 'unknown' })
  else if (error instanceof DatabaseUnavailable) databaseErrors.inc({ code: 'connection' })
  return error
}

/** A pool of connections. A connection whose state is unknown is closed. */
export class Connections {
  readonly #pool: Pool
  readonly #hosts: Hosts
  readonly #open = new Set<PoolClient>()
  #ended: Promise<void> | undefined

  constructor(
    target: ConnectionTarget,
    { max, settings, responseTimeout, renew = false, onNotice }: ConnectionOptions,
  ) {
    const parsed = readTarget(target)
    const hosts = new Hosts(parsed.hosts)
    this.#hosts = hosts
    this.#pool = new Pool({
      max,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 0,
      ...(renew ? { maxLifetimeSeconds: CONNECTION_LIFETIME } : {}),
      Client: class extends DatabaseClient {
        constructor() {
          super({
            target: parsed,
            hosts,
            settings,
            responseTimeout,
            connectionTimeoutMillis: CONNECT_TIMEOUT,
          })
        }
      },
      onConnect: (client) => (client as DatabaseClient).requireRole(),
    })
    openPools.add(this.#pool)
    // The pool has removed the idle connection that was lost.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#open.add(client)
      client.once('end', () => this.#open.delete(client))
      if (onNotice) client.on('notice', ({ message }) => onNotice(message ?? ''))
    })
  }

  /**
   * Returns a connection, which the caller must release.
   * @throws DatabaseUnavailable when none was free in time. A later one is useless: the call has got its response.
   */
  async acquire(): Promise<PoolClient> {
    const since = performance.now()
    const isLate = () => performance.now() - since > CONNECT_TIMEOUT
    for (let tries = this.#hosts.count; ; tries--) {
      try {
        const client = await this.#pool.connect()
        if (!isLate()) return client
        client.release()
      } catch (error) {
        if (tries <= 1 || isLate()) throw countError(wrapConnectionError(error))
      }
      if (isLate()) throw countError(new DatabaseUnavailable('Timed out waiting for a free connection.'))
    }
  }

  /** @param error of a statement on this connection */
  release(client: PoolClient, error?: unknown): void {
    client.release(isFatal(error) || client.getTransactionStatus() !== 'I')
  }

  /** Waits at most `timeout` seconds for statements under way. */
  end({ timeout } = { timeout: 5 }): Promise<void> {
    this.#ended ??= this.#end(timeout * 1000)
    return this.#ended
  }

  async #end(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => {
      // During a statement this closes the connection at once.
      for (const client of this.#open) void (client as unknown as DatabaseClient).end()
    }, milliseconds)
    await this.#pool.end()
    await Promise.all([...this.#open].map((client) => new Promise((closed) => client.once('end', closed))))
    clearTimeout(timer)
    openPools.delete(this.#pool)
  }
}

/** Turns errors of the connection, to which pg gives no class, into DatabaseUnavailable. Others stay as they are. */
export function wrapConnectionError(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof DatabaseUnavailable || isProgrammingError(error))
    return error
  const { message: reason, code = '' } = (
    error instanceof AggregateError ? error.errors[0] : error
  ) as NodeJS.ErrnoException
  const message = UNTRUSTED_CERTIFICATE.test(code)
    ? `The database's certificate is not trusted (${reason}): name the file of its authority with sslrootcert=… in the address`
    : reason
  return new DatabaseUnavailable(message, { cause: error })
}

/** Node's codes for a certificate of an unknown authority. */
const UNTRUSTED_CERTIFICATE = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/

/** A mistake of this program, such as a value that cannot be serialized. */
const isProgrammingError = (error: unknown) =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError

/**
 * Whether a connection must be closed after this error: when the session ended, the server is no longer the primary, or the
 * error is not from PostgreSQL. After other errors of a statement the connection is usable.
 */
const isFatal = (error: unknown) =>
  error instanceof DatabaseError
    ? /^(08|57P|XX|25006|53300)/.test(error.code ?? '')
    : error instanceof DatabaseUnavailable || isProgrammingError(error)
