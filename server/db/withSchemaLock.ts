import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { LOCK_KEYS } from './advisoryLocks.ts'
import { Connections } from './connections.ts'
import type { ConnectionTarget } from './target.ts'

/** Milliseconds. */
const LOCK_POLL_INTERVAL = 200

/**
 * Runs `change` on a connection of its own without a statement timeout, which holds the lock until it is closed: servers
 * that start together change the schema one after the other.
 */
export async function withSchemaLock<T>(
  target: ConnectionTarget,
  change: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const connections = new Connections(target, { max: 1, settings: { statement_timeout: '0' } })
  try {
    const client = await connections.acquire()
    try {
      // Not pg_advisory_lock: while it waits it has a snapshot, for whose end CREATE INDEX CONCURRENTLY waits.
      while (!(await tryLock(client))) await wait(LOCK_POLL_INTERVAL)
      return await change(client)
    } finally {
      client.release(true)
    }
  } finally {
    await connections.end({ timeout: 5 })
  }
}

async function tryLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query('select where pg_try_advisory_lock($1)', [LOCK_KEYS.schema])
  return rows.length > 0
}

/** @throws what `change` throws. Nothing is changed then. */
export async function inOneTransaction<T>(client: ClientBase, change: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    // On Citus, a transaction cannot change reference tables and distributed tables in parallel.
    await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
    const result = await change()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
