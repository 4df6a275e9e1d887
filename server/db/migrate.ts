import type { ClientBase } from 'pg'
import { changeSchema } from './changeSchema.ts'
import { applyFunctions, type FunctionSet, readFunctions } from './functions.ts'
import { type Migration, readMigrations } from './readMigrations.ts'
import { distributeFunctions, isSpread } from './spread/distribute.ts'
import type { ConnectionTarget } from './target.ts'

export interface Schema {
  migrations: Migration[]
  /** Null for tables that are not up to date, which functions need. */
  functions: FunctionSet | null
}

/**
 * Brings tables and functions up to date, or to another state. Uses its own connection, without a statement
 * timeout. On a cluster the workers get the functions, too.
 * @throws the database's error, or one that names a function. Nothing is changed then.
 */
export async function migrateDatabase(
  target: ConnectionTarget,
  { migrations = readMigrations(), functions = readFunctions() }: Partial<Schema> = {},
): Promise<void> {
  // One transaction: no server finds new tables with old functions.
  await changeSchema(
    target,
    async (client) => {
      await migrateTables(client, migrations)
      if (!functions) return
      await applyFunctions(client, functions)
      if (await isSpread(client)) await distributeFunctions(client)
    },
    requireVersion,
  )
}

/** Like drizzle's migrator, which older servers use on the same table, but in the caller's transaction. */
async function migrateTables(client: ClientBase, migrations: Migration[]): Promise<void> {
  const last = await readLastMigration(client)
  for (const { when, hash, statements } of migrations) {
    if (when <= last) continue
    for (const statement of statements) await client.query(statement)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      when,
    ])
  }
}

async function readLastMigration(client: ClientBase): Promise<number> {
  const { rows: tables } = await client.query<{ found: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations')::text as found`,
  )
  if (tables[0]?.found === null) {
    await client.query('create schema if not exists drizzle')
    await client.query(
      'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    )
  }
  const { rows } = await client.query<{ last: string | null }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  )
  return Number(rows[0]?.last ?? 0)
}

async function requireVersion(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  const [{ version } = { version: 0 }] = rows
  if (version < 150000) {
    throw new Error(`PostgreSQL 15 or newer is required; this server is ${Math.floor(version / 10000)}.`)
  }
}
