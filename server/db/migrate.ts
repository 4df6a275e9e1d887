import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { ClientBase } from 'pg'
import { packageFolder } from '../packageFolder.ts'
import { Connections } from './connections.ts'
import type { ConnectionTarget } from './target.ts'

/** Any number that no other program locks: two servers that start together migrate one after the other. */
const MIGRATION_LOCK = 7041000

/**
 * Brings the schema up to date, or up to the last migration of another folder. On a connection of its own, which holds
 * the lock for as long as it lives and whose statements take the time that they need.
 * @throws the database's error; the migration that failed is rolled back whole.
 */
export async function migrateDatabase(
  target: ConnectionTarget,
  migrationsFolder = packageFolder('server/db/migrations'),
): Promise<void> {
  const connections = new Connections(target, { max: 1, settings: {} })
  try {
    const client = await connections.acquire()
    try {
      await requireVersion(client)
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      await migrate(drizzle(client), { migrationsFolder })
    } finally {
      client.release(true)
    }
  } finally {
    await connections.end({ timeout: 5 })
  }
}

async function requireVersion(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  const [{ version } = { version: 0 }] = rows
  if (version < 150000) {
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10000)}.`)
  }
}
