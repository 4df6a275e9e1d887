import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { Connections } from './connections.ts'
import type { ConnectionTarget } from './target.ts'

/** An arbitrary key of an advisory lock: servers that start together change the schema one after the other. */
export const SCHEMA_LOCK = 7041000

/** Milliseconds between two looks whether the lock is free. */
const LOCK_POLL_INTERVAL = 200

/** Runs `change` on a connection of its own, which holds the lock until it closes and has no statement timeout. */
export async function withSchemaLock<T>(
  target: ConnectionTarget,
  change: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const connections = new Connections(target, { max: 1, settings: { statement_timeout: '0' } })
  try {
    const client = await connections.acquire()
    try {
      // A statement that waits for the lock would have a snapshot, for whose end CREATE INDEX CONCURRENTLY waits.
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
  const { rows } = await client.query('select where pg_try_advisory_lock($1)', [SCHEMA_LOCK])
  return rows.length > 0
}

/** @throws what `change` throws. Nothing is changed then. */
export async function inOneTransaction<T>(client: ClientBase, change: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    // On Citus: tables on every node and spread ones change in one transaction only one after the other.
    await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
    const result = await change()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
