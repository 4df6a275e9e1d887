import { DatabaseError, Pool, type PoolClient } from 'pg'
import { DatabaseClient, Ways } from './client.ts'
import { type ConnectionTarget, readTarget } from './target.ts'

/** Milliseconds that a statement waits for a connection, and a connection for the server: less than a call has. */
const PATIENCE = 4500

/** Seconds after which a connection of a long-lived pool is made anew. */
const LIFETIME = 45 * 60

export interface ConnectionOptions {
  max: number
  /** Settings of each session. */
  settings: Record<string, string>
  /** Milliseconds after which a server that says nothing any more is given up. Without it never. */
  silence?: number
  /** Whether connections are made anew now and then: what a session keeps is gone then. */
  renew?: boolean
  onNotice?: (message: string) => void
}

/** The database did not answer: there was no connection, or it broke while something was under way. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  readonly code = 'CONNECTION_LOST'
}

/** A pool of connections. Each serves one at a time; one that may be in disorder is closed rather than lent again. */
export class Connections {
  readonly #pool: Pool
  readonly #ways: Ways
  readonly #open = new Set<PoolClient>()
  #ended: Promise<void> | undefined

  constructor(
    target: ConnectionTarget,
    { max, settings, silence, renew = false, onNotice }: ConnectionOptions,
  ) {
    const read = readTarget(target)
    const ways = new Ways(read.ways)
    this.#ways = ways
    this.#pool = new Pool({
      max,
      connectionTimeoutMillis: PATIENCE,
      idleTimeoutMillis: 0,
      ...(renew ? { maxLifetimeSeconds: LIFETIME } : {}),
      Client: class extends DatabaseClient {
        constructor() {
          super({ target: read, ways, settings, silence, connectionTimeoutMillis: PATIENCE })
        }
      },
      onConnect: (client) => (client as DatabaseClient).requireRole(),
    })
    // A connection that broke while nobody used it: the pool has dropped it already.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#open.add(client)
      client.once('end', () => this.#open.delete(client))
      if (onNotice) client.on('notice', ({ message }) => onNotice(message ?? ''))
    })
  }

  /**
   * A connection, to be given back. Nobody gets one that waited too long: whoever called has given up by then, and
   * what was asked for must not happen later.
   */
  async lend(): Promise<PoolClient> {
    const since = performance.now()
    const isLate = () => performance.now() - since > PATIENCE
    for (let tries = this.#ways.count; ; tries--) {
      try {
        const client = await this.#pool.connect()
        if (!isLate()) return client
        client.release()
      } catch (error) {
        if (tries <= 1 || isLate()) throw explain(error)
      }
      if (isLate()) throw new DatabaseAway('No connection was free in time.')
    }
  }

  /** @param error what a statement on it failed with. */
  giveBack(client: PoolClient, error?: unknown): void {
    client.release(isDisorder(error) || client.getTransactionStatus() !== 'I')
  }

  /** Waits for what is under way, at most `timeout` seconds. */
  end({ timeout } = { timeout: 5 }): Promise<void> {
    this.#ended ??= this.#end(timeout * 1000)
    return this.#ended
  }

  async #end(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => {
      // With a statement under way this closes the connection at once.
      for (const client of this.#open) void (client as unknown as DatabaseClient).end()
    }, milliseconds)
    await this.#pool.end()
    await Promise.all([...this.#open].map((client) => new Promise((closed) => client.once('end', closed))))
    clearTimeout(timer)
  }
}

/** An error of pg's as callers know it: PostgreSQL's own stay, those of the connection get one code. */
export function explain(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof DatabaseAway || isMistake(error)) return error
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error)
  return new DatabaseAway(message, { cause: error })
}

/** What this program got wrong itself, such as a value that cannot be written. */
const isMistake = (error: unknown) =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError

/**
 * PostgreSQL answers a statement that failed and goes on; the connection is as good as before. Not so when it ends
 * the session, is no longer the primary, or when pg itself met something that it did not expect.
 */
const isDisorder = (error: unknown) =>
  error instanceof DatabaseError
    ? /^(08|57P|XX|25006|53300)/.test(error.code ?? '')
    : error instanceof DatabaseAway || isMistake(error)
