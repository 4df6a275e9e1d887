import type { ClientBase } from 'pg'
import { Connections } from './connections.ts'
import type { ConnectionTarget } from './target.ts'

/** An arbitrary key of an advisory lock: servers that start together change the schema one after the other. */
const SCHEMA_LOCK = 7041000

/**
 * Runs `change` in one transaction on a connection of its own, which holds the lock until it closes and has no statement
 * timeout. `before` runs first, outside of it.
 * @throws what they throw. Nothing is changed then.
 */
export async function changeSchema<T>(
  target: ConnectionTarget,
  change: (client: ClientBase) => Promise<T>,
  before: (client: ClientBase) => Promise<void> = async () => {},
): Promise<T> {
  const connections = new Connections(target, { max: 1, settings: {} })
  try {
    const client = await connections.acquire()
    try {
      await before(client)
      await client.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
      await client.query('begin')
      // On Citus: tables on every node and spread ones change in one transaction only one after the other.
      await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
      const result = await change(client)
      await client.query('commit')
      return result
    } finally {
      client.release(true)
    }
  } finally {
    await connections.end({ timeout: 5 })
  }
}
