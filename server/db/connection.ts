import type { PoolClient } from 'pg'
import { Connections } from './connections.ts'
import { isStaleStatement, type RawResult, StatementNames, send, toRows } from './send.ts'
import type { Statement } from './sql.ts'
import { type Queryable, queryableOn } from './sql.ts'
import type { ConnectionTarget } from './target.ts'
import { inTransaction, type Transaction } from './transaction.ts'

export type { Fragment, Queryable } from './sql.ts'
export type { ConnectionTarget } from './target.ts'
export type { Transaction } from './transaction.ts'

export interface Database extends Queryable {
  begin<T>(use: (tx: Transaction) => Promise<T>): Promise<T>
  /** `mode` follows BEGIN, such as `isolation level repeatable read read only`. */
  begin<T>(mode: string, use: (tx: Transaction) => Promise<T>): Promise<T>
  /** Waits for a free connection and runs the statements of `use` on it, each in a transaction of its own. */
  onConnection<T>(use: (db: Queryable) => Promise<T>): Promise<T>
  /** Closes the pool. Waits at most `timeout` seconds for statements under way. */
  end(options?: { timeout: number }): Promise<void>
}

/** Milliseconds after which the database cancels a statement. The deadline of its call has passed by then. */
export const STATEMENT_TIMEOUT = 5000

export interface PoolOptions {
  max: number
  /** False for a pooler that gives each transaction another connection; true by default. */
  prepare?: boolean
  /**
   * Whether statements look rows up by key, as the server's do; false by default. It disables sequential scans: a
   * connection caches plans, and one made while a table was small would go on scanning the table as it grows. It also
   * disables JIT: PostgreSQL up to 17 prices a plan that needs such a scan so high that it would compile it at each
   * execution, for longer than the statement takes.
   */
  lookups?: boolean
  /**
   * Milliseconds after which a connection is closed if the server does not respond; never by default. For a server on
   * another machine, which can vanish without closing its connections.
   */
  responseTimeout?: number
  /** Settings of each session, besides or instead of the default ones. */
  settings?: Record<string, string>
  onNotice?: (message: string) => void
}

/**
 * A pool of connections. Columns come back in camelCase, bigint as text (ids are opaque, calls-7),
 * timestamps as Date.
 */
export function connect(
  target: ConnectionTarget,
  { max, prepare = true, lookups = false, responseTimeout, settings = {}, onNotice }: PoolOptions,
): Database {
  const connections = new Connections(target, {
    max,
    responseTimeout,
    onNotice,
    renew: lookups,
    settings: {
      application_name: 'banger-or-bust',
      statement_timeout: String(STATEMENT_TIMEOUT),
      ...(lookups ? { enable_seqscan: 'off', jit: 'off' } : {}),
      ...settings,
    },
  })
  const names = prepare ? new StatementNames() : null
  async function sendTo(client: PoolClient, statement: Statement): Promise<RawResult> {
    try {
      return await send(client, statement, names)
    } catch (error) {
      if (!isStaleStatement(error)) throw error
      names?.forget(statement.text)
      return send(client, statement, names)
    }
  }
  const runWith = (run: (statement: Statement) => Promise<RawResult>): Queryable =>
    queryableOn({
      run: async (statement) => toRows(await run(statement)),
      runForValues: async (statement) => (await run(statement)).rows,
    })
  const onConnection = <T>(use: (db: Queryable) => Promise<T>) =>
    withConnection(connections, (client) => use(runWith((statement) => sendTo(client, statement))))
  function begin<T>(mode: string | Use<T>, use?: Use<T>): Promise<T> {
    const [kind, work] = typeof mode === 'string' ? [mode, use as Use<T>] : ['', mode]
    return withConnection(connections, (client) => inTransaction(client, names, kind, work))
  }
  const onAny = runWith((statement) => withConnection(connections, (client) => sendTo(client, statement)))
  return Object.assign(onAny, { begin, onConnection, end: connections.end.bind(connections) })
}

/** Runs `use` on a connection of its own, for a program. */
export async function withDatabase<T>(
  target: ConnectionTarget,
  use: (db: Database) => PromiseLike<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const db = connect(target, { max: 1, settings })
  try {
    return await use(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Settings for statements that may take any time. */
export const NO_STATEMENT_TIMEOUT = { statement_timeout: '0' }

type Use<T> = (tx: Transaction) => Promise<T>

async function withConnection<T>(
  connections: Connections,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connections.acquire()
  let failure: unknown
  try {
    return await use(client)
  } catch (error) {
    failure = error
    throw error
  } finally {
    connections.release(client, failure)
  }
}
