import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClientBase, DatabaseError } from 'pg'
import { readPackageText } from '../packagePath.ts'
import { withDatabase } from './connection.ts'
import { distributeFunctions, isDistributed } from './distribute.ts'
import { createFunctions, FUNCTIONS, type FunctionSet } from './functions.ts'
import { inspectDatabase } from './inspectDatabase.ts'
import type { ConnectionTarget } from './target.ts'
import { inOneTransaction, withSchemaLock } from './withSchemaLock.ts'

/** Milliseconds that a migration waits for a lock. Ratings queue behind it, so this is less than their deadline. */
const LOCK_TIMEOUT = 2000
/** Milliseconds before the next try, in which ratings go on. */
const RETRY_DELAY = 3000
const MAX_TRIES = 120

export interface Schema {
  migrations: Migration[]
  /** Null when `migrations` lacks the latest ones, without which the functions cannot be created. */
  functions: FunctionSet | null
  onWait: () => void
}

/**
 * Runs the migrations that were not applied yet, and creates the functions of this version, on a cluster on the workers,
 * too. Each migration is a transaction of its own, after which the version before can still run.
 * @throws the database's error, or one for the operator. The migration that failed has changed nothing.
 */
export async function migrateDatabase(
  target: ConnectionTarget,
  { migrations = readMigrations(), functions = FUNCTIONS, onWait = () => {} }: Partial<Schema> = {},
): Promise<void> {
  const { incompatibility, missingPrivilege } = await withDatabase(target, inspectDatabase)
  if (incompatibility) throw new Error(incompatibility)
  await withSchemaLock(target, async (client) => {
    try {
      const last = await readLastMigration(client, migrations[0])
      for (const migration of migrations) if (migration.when > last) await apply(client, migration, onWait)
      if (!functions) return
      await inOneTransaction(client, async () => {
        const isNew = await createFunctions(client, functions)
        if (isNew && (await isDistributed(client))) await distributeFunctions(client, functions)
      })
    } catch (error) {
      // Checked only after an error: when there is nothing to create, the role needs no privilege.
      if (missingPrivilege && error instanceof DatabaseError && INSUFFICIENT_PRIVILEGE.test(error.code ?? ''))
        throw new Error(missingPrivilege, { cause: error })
      throw error
    }
  })
}

/** insufficient_privilege, or invalid_schema_name: no schema in which the role could create. */
const INSUFFICIENT_PRIVILEGE = /^(42501|3F000)$/

async function apply(client: ClientBase, migration: Migration, onWait: () => void): Promise<void> {
  if (!migration.isOutsideTransaction)
    return retryWhileLocked(onWait, () =>
      inOneTransaction(client, async () => {
        await client.query(`set local lock_timeout = ${LOCK_TIMEOUT}`)
        for (const statement of migration.statements) await client.query(statement)
        await record(client, migration)
      }),
    )
  for (const statement of migration.statements) {
    // CONCURRENTLY waits without holding ratings up, and is repeated only after the statement before it.
    if (/\bconcurrently\b/i.test(statement)) await client.query(statement)
    else
      await retryWhileLocked(onWait, async () => {
        await client.query(`set lock_timeout = ${LOCK_TIMEOUT}`)
        await client.query(statement).finally(() => client.query('reset lock_timeout'))
      })
  }
  await record(client, migration)
}

async function retryWhileLocked(onWait: () => void, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLocked(error)) throw error
      if (tries === MAX_TRIES)
        throw new Error(
          'The tables cannot be changed, because another session has been reading or writing them for ten minutes, such as a backup. Start the server again when it has ended.',
          { cause: error },
        )
    }
    onWait()
    await wait(RETRY_DELAY)
  }
}

/** lock_not_available, or deadlock_detected. */
const isLocked = (error: unknown) =>
  error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01')

const record = (client: ClientBase, { hash, when }: Pick<Migration, 'hash' | 'when'>) =>
  client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when])

/** When the last applied migration was generated; 0 for an empty database. Adopts a database of the last 0.1. */
async function readLastMigration(client: ClientBase, baseline: Migration | undefined): Promise<number> {
  const { rows: tables } = await client.query<{ found: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations')::text as found`,
  )
  if (tables[0]?.found === null) {
    await client.query('create schema if not exists drizzle')
    await client.query(
      'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    )
  }
  const { rows: applied } = await client.query<{ hash: string; when: string | null }>(
    'select hash, created_at as when from drizzle.__drizzle_migrations order by created_at, id',
  )
  const last = applied.at(-1)
  if (!last || !baseline) return 0
  if (applied.some(({ hash }) => hash === baseline.hash)) return Number(last.when)
  if (!endAtVersion01(applied)) {
    throw new Error(
      'The tables in this database are of a version before the last 0.1, or of a modified one. Nothing was changed. Start the last 0.1 on it once (commit 9b040d6), then this version.',
    )
  }
  await inOneTransaction(client, () => adopt(client, baseline))
  return baseline.when
}

/** Records the baseline, whose tables are those of the last 0.1, and drops the functions of 0.1 beside the tables. */
async function adopt(client: ClientBase, baseline: Migration): Promise<void> {
  await client.query('delete from drizzle.__drizzle_migrations')
  await record(client, baseline)
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = current_schema()::regnamespace
       and starts_with(obj_description(oid, 'pg_proc'), 'Banger or Bust: revision ')`,
  )
  for (const { name } of rows) await client.query(`drop function ${name}`)
}

export interface Migration {
  /** When it was generated: its key in the table of applied migrations. */
  when: number
  /** Of its file. */
  hash: string
  statements: string[]
  /** Whether each statement is a transaction of its own. Interrupted, it is run again from its first one. */
  isOutsideTransaction: boolean
}

/** The first line of a migration that runs outside of a transaction. */
export const OUTSIDE_TRANSACTION = '-- outside of a transaction'

/** The migrations that drizzle-kit generated, in order. The first is the baseline. */
export function readMigrations(): Migration[] {
  const read = (name: string) => readPackageText(`server/db/migrations/${name}`)
  const { entries } = JSON.parse(read('meta/_journal.json')) as { entries: { tag: string; when: number }[] }
  return entries.map(({ tag, when }) => makeMigration(when, read(`${tag}.sql`)))
}

export function makeMigration(when: number, text: string): Migration {
  return {
    when,
    hash: createHash('sha256').update(text).digest('hex'),
    statements: text.split('--> statement-breakpoint'),
    isOutsideTransaction: text.startsWith(OUTSIDE_TRANSACTION),
  }
}

/** The last migration of version 0.1. The baseline has the same tables. */
const LAST_0_1_MIGRATION = '328edbf66978fd4843b1d5afaea1b549c57f86e76154a091610549450e20b675'

/** Whether these applied migrations, in order, are all of version 0.1. */
export const endAtVersion01 = (applied: readonly { hash: string }[]) =>
  applied.at(-1)?.hash === LAST_0_1_MIGRATION
