import postgres from 'postgres'
import { networkSockets } from './networkSocket.ts'

export type Database = postgres.Sql

/** A pool or a transaction: what a function takes that must fit into a transaction. */
export type Queryable = postgres.ISql

/** How to reach PostgreSQL: an address, or the options of the embedded server. */
export type ConnectionTarget = string | postgres.Options<Record<string, never>>

/** Milliseconds after which the database gives a statement up; a caller has gone by then. */
export const STATEMENT_TIMEOUT = 5000

interface PoolOptions {
  max: number
  /** False behind a pooler that gives each transaction another connection. True by default. */
  prepare?: boolean
  /**
   * Whether its statements look rows up by key, as the server's do. False by default. Plans are kept for as long as
   * a connection lives: made while a table was small, one that reads it whole would go on doing so as it grows.
   * PostgreSQL up to 17 prices a plan that cannot do without so high that it compiles it (JIT), at each execution for
   * longer than the statement takes; so it must not.
   */
  lookups?: boolean
  /** Whether the server is on another machine, which may vanish without a word. False by default. */
  remote?: boolean
}

/**
 * A pool of connections. Columns come back in camelCase, bigint as text (ids are opaque, D-90),
 * timestamps as Date.
 */
export function connect(
  target: ConnectionTarget,
  { max, prepare = true, lookups = false, remote = false }: PoolOptions,
): Database {
  const settings = {
    max,
    prepare,
    ...(remote ? { socket: networkSockets() } : {}),
    connect_timeout: 5,
    // postgres.js waits up to 20 s by itself; the database is back within one or two.
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 1),
    onnotice: () => {},
    transform: { column: { from: postgres.toCamel } },
    connection: {
      application_name: 'banger-or-bust',
      statement_timeout: STATEMENT_TIMEOUT,
      ...(lookups ? { enable_seqscan: 'off', jit: 'off' } : {}),
    },
  } satisfies postgres.Options<Record<string, never>>
  return typeof target === 'string' ? postgres(target, settings) : postgres({ ...target, ...settings })
}
