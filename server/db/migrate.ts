import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { packageFolder } from '../packageFolder.ts'
import type { ConnectionTarget } from './connection.ts'

/** Any number that no other program locks: two servers that start together migrate one after the other. */
const MIGRATION_LOCK = 7041000

/**
 * Brings the schema up to date, or up to the last migration of another folder. On a connection of its own, for drizzle changes how a connection reads
 * timestamps.
 * @throws the database's error; the migration that failed is rolled back whole.
 */
export async function migrateDatabase(
  target: ConnectionTarget,
  migrationsFolder = packageFolder('server/db/migrations'),
): Promise<void> {
  const options = { max: 1, connect_timeout: 10, onnotice: () => {} }
  const client = typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options })
  try {
    await requireVersion(client)
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end({ timeout: 5 })
  }
}

async function requireVersion(client: postgres.Sql): Promise<void> {
  const [row] = await client`select current_setting('server_version_num')::int as version`
  if (row && row.version < 150000) {
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(row.version / 10000)}.`)
  }
}
