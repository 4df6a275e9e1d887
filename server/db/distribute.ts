import type { ClientBase } from 'pg'
import { FUNCTIONS, type FunctionSet } from './functions.ts'
import type { Queryable } from './sql.ts'
import { listenerTablesThat } from './tables/listenerTables.ts'
import type { ConnectionTarget } from './target.ts'
import { inOneTransaction, withSchemaLock } from './withSchemaLock.ts'

/** What `distribute` did, or found done. */
export interface DistributionResult {
  /** The workers, as `host:port`. */
  workers: string[]
  /** Names of tables and functions. */
  changed: Record<Kind, string[]>
  /** How many there are of each kind, changed or not. */
  all: Record<Kind, number>
}

export type Kind = 'distributed' | 'reference' | 'delegated' | 'helpers'

/** The database cannot be distributed, and was not changed. The message says why, and what to do. */
export class CannotDistribute extends Error {}

/**
 * Distributes tables and functions over the workers of a Citus cluster, except those that are distributed already. One
 * transaction does it, and locks the tables.
 * @throws CannotDistribute without Citus, without workers, or when the coordinator is not registered.
 */
export const distribute = (target: ConnectionTarget): Promise<DistributionResult> =>
  withSchemaLock(target, (client) => inOneTransaction(client, () => distributeAll(client)))

async function distributeAll(client: ClientBase): Promise<DistributionResult> {
  const workers = await requireCluster(client)
  const present = await readDistributedTables(client)
  const counters = await readCounters(
    client,
    [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES].filter((table) => !present.has(table)),
  )
  const reference = REFERENCE_TABLES.filter((table) => !present.has(table))
  for (const table of reference) await client.query(CITUS.reference, [table])
  const [first, ...others] = DISTRIBUTED_TABLES
  const distributed = DISTRIBUTED_TABLES.filter((table) => !present.has(table))
  if (distributed.includes(first)) await distributeTable(client, first, 'none')
  for (const table of others) if (distributed.includes(table)) await distributeTable(client, table, first)
  // Citus restarts the sequences at 1.
  for (const { name, last } of counters)
    await client.query('select setval($1::regclass, $2::bigint)', [name, last])
  const functions = await distributeFunctions(client, FUNCTIONS)
  return {
    workers,
    changed: { distributed, reference, ...functions },
    all: {
      distributed: DISTRIBUTED_TABLES.length,
      reference: REFERENCE_TABLES.length,
      delegated: DELEGATED_FUNCTIONS.length,
      helpers: helperFunctions(FUNCTIONS).length,
    },
  }
}

const distributeTable = (client: ClientBase, table: string, neighbour: string) =>
  client.query(CITUS.distribute, [table, neighbour])

/** The sequences of these tables' ids that have been used, and their last values. */
async function readCounters(
  client: ClientBase,
  tables: readonly string[],
): Promise<{ name: string; last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select counter.name, s.last_value::text as last
     from pg_attribute a
     cross join lateral (select pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) as name) counter
     join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename) = counter.name
     where a.attrelid = any($1::regclass[]) and a.attidentity <> '' and s.last_value is not null`,
    [tables],
  )
  return rows
}

/** Whether listener tables are distributed over the workers of a cluster. */
export async function isDistributed(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as found`,
  )
  if (!rows[0]?.found) return false
  return (await readDistributedTables(client)).has(DISTRIBUTED_TABLES[0])
}

interface PlacedFunction {
  name: string
  /** Whether the workers have it. */
  isThere: boolean
  /** The place of the argument that says which worker runs it; null when every node does. */
  argument: number | null
}

/** Creates functions on the workers that lack them. Returns their names. */
export async function distributeFunctions(
  client: ClientBase,
  functions: FunctionSet,
): Promise<{ delegated: string[]; helpers: string[] }> {
  const { schema } = functions
  const { rows } = await client.query<PlacedFunction>(CITUS.functions, [schema])
  const missing = new Map(rows.flatMap((row) => (row.argument === 0 ? [] : [[row.name, row]])))
  const helpers = helperFunctions(functions).filter((name) => missing.get(name)?.isThere === false)
  for (const name of helpers) await client.query(CITUS.bring, [`${schema}.${name}`])
  const delegated = DELEGATED_FUNCTIONS.filter((name) => missing.has(name))
  for (const name of delegated)
    await client.query(CITUS.delegate, [`${schema}.${name}`, DISTRIBUTED_TABLES[0]])
  await planEachCall(client, schema)
  return { delegated, helpers }
}

const helperFunctions = ({ texts }: FunctionSet) => {
  const others: readonly string[] = [...DELEGATED_FUNCTIONS, ...COORDINATOR_FUNCTIONS]
  return [...texts.keys()].filter((name) => !others.includes(name))
}

/** Citus plans each statement for the worker of its values, so functions cannot ask for a generic plan. */
async function planEachCall(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = to_regnamespace($1) and 'plan_cache_mode=force_generic_plan' = any(p.proconfig)`,
    [schema],
  )
  for (const { name } of rows) await client.query(`alter function ${name} reset plan_cache_mode`)
}

async function readDistributedTables(client: Pick<ClientBase, 'query'>): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(CITUS.tables)
  return new Set(rows.map(({ name }) => name))
}

interface Node {
  address: string
  isCoordinator: boolean
  hasShards: boolean
}

async function requireCluster(client: ClientBase): Promise<string[]> {
  const { rows: extensions } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (extensions.length === 0) {
    throw new CannotDistribute(
      'This database does not have the extension Citus, so there are no workers to distribute listeners to. Nothing was changed.',
    )
  }
  const { rows: nodes } = await client.query<Node>(CITUS.nodes)
  if (!nodes.some(({ isCoordinator }) => isCoordinator)) {
    throw new CannotDistribute(
      "The coordinator is not registered. Run select citus_set_coordinator_host('HOST', PORT) with an address that the workers reach. Nothing was changed.",
    )
  }
  const workers = nodes.filter(({ hasShards }) => hasShards).map(({ address }) => address)
  if (workers.length === 0) {
    throw new CannotDistribute(
      "The cluster has no workers. Run select citus_add_node('HOST', PORT) for each. Nothing was changed.",
    )
  }
  return workers
}

/** Statements that only Citus understands. */
const CITUS = {
  nodes: `
    select nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator", shouldhaveshards as "hasShards"
    from pg_dist_node where noderole = 'primary' and isactive order by 1`,
  tables: `
    select c.relname as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`,
  functions: `
    select p.proname as name, o.objid is not null as "isThere", o.distribution_argument_index as argument
    from pg_proc p left join pg_dist_object o on o.objid = p.oid and o.classid = 'pg_proc'::regclass
    where p.pronamespace = to_regnamespace($1)`,
  reference: 'select create_reference_table($1::regclass)',
  distribute: `select create_distributed_table($1::regclass, 'user_id', colocate_with => $2)`,
  bring: 'select create_distributed_function($1::regproc::regprocedure)',
  delegate: `select create_distributed_function($1::regproc::regprocedure, 'listener', colocate_with => $2)`,
}

/** Whether the database is that of a cluster with Citus. */
export async function hasCitus(db: Queryable): Promise<boolean> {
  const rows = await db`select from pg_extension where extname = 'citus'`
  return rows.length > 0
}

/* Where tables and functions are on a cluster of PostgreSQL with Citus: docs/decisions/0024. */

/** Distributed by `user_id`: all rows of a listener are on one worker. */
export const DISTRIBUTED_TABLES = listenerTablesThat('isDistributed')

/** Copied to every node, because a listener's call reads them. Referenced ones first. */
export const REFERENCE_TABLES = [
  'microgenres',
  'songs',
  'achievement_rules',
  'song_totals',
  'microgenre_totals',
  'song_traits',
] as const

/** Functions that touch one listener, named by the first argument: the listener's worker runs the whole call. */
export const DELEGATED_FUNCTIONS = [
  'rate_song',
  'add_ratings',
  'next_songs',
  'defer_song',
  'undo_defer',
  'unrate_song',
  'restart_microgenre',
] as const

/** Functions of the totals of all listeners, which only the coordinator runs. All others are on every node. */
export const COORDINATOR_FUNCTIONS = ['fold_changes', 'move_windows'] as const
