import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { packagePath, readPackageText } from '../packagePath.ts'
import { withAdvisoryLock } from './advisoryLocks.ts'
import type { Database } from './connection.ts'
import { Identifier } from './sql.ts'

/** The functions of one version of the server. */
export interface FunctionSet {
  /** Their schema, named by the hash of their texts. */
  schema: string
  /** A CREATE FUNCTION statement for each name. */
  texts: ReadonlyMap<string, string>
}

/** How the files name the schema. */
const SCHEMA_PLACEHOLDER = /\bfunctions\.(?=\w+\()/g

/** @param files the texts of the files, by the names of the functions. */
export function makeFunctionSet(files: ReadonlyMap<string, string>): FunctionSet {
  const hash = createHash('sha256').update(JSON.stringify([...files].sort()))
  const schema = `functions_${hash.digest('hex').slice(0, 12)}`
  const texts = [...files].map(
    ([name, text]) => [name, text.replace(SCHEMA_PLACEHOLDER, `${schema}.`)] as const,
  )
  return { schema, texts: new Map(texts) }
}

export function readFunctions(): Map<string, string> {
  const folder = 'server/db/functions'
  return new Map(
    readdirSync(packagePath(folder)).map((file) => [
      path.basename(file, '.sql'),
      readPackageText(`${folder}/${file}`),
    ]),
  )
}

export const FUNCTIONS = makeFunctionSet(readFunctions())

/** The schema of this server's functions, for statements: `select … from ${functions}.rate_song(…)`. */
export const functions = new Identifier(FUNCTIONS.schema)

/**
 * Creates the schema with these functions, unless it exists, and marks it as used, in the caller's transaction. Returns
 * whether the schema is new.
 * @throws Error that names the function which could not be created.
 */
export async function createFunctions(client: ClientBase, { schema, texts }: FunctionSet): Promise<boolean> {
  const { rows: found } = await client.query('select where to_regnamespace($1) is not null', [schema])
  if (found.length === 0) {
    await client.query(`create schema ${schema}`)
    // A function may call another one that is created after it.
    await client.query('set local check_function_bodies = off')
    for (const [name, text] of texts)
      await client.query(text).catch((error: Error) => {
        throw new Error(`The database function ${name} cannot be created: ${error.message}`, { cause: error })
      })
  }
  await client.query(markUsed(schema))
  return found.length === 0
}

/** Marks this server's schema as used, and drops those that no server has used for seven days. */
export async function dropUnusedFunctions(db: Database, { schema }: FunctionSet = FUNCTIONS): Promise<void> {
  await db.unsafe(markUsed(schema))
  // A server that starts and may be about to use one of them has the lock.
  await withAdvisoryLock(db, 'schema', async (tx) => {
    const unused = await tx<{ name: string }[]>`
      select nspname as name from pg_namespace
      where nspname ~ '^functions_[0-9a-f]{12}$' and nspname <> ${schema}
        and substring(obj_description(oid, 'pg_namespace') from '^used (\\d+)$')::bigint
          < extract(epoch from now() - interval '7 days')`
    for (const { name } of unused) await tx`drop schema ${tx(name)} cascade`
  })
}

/** Stores the database's time in the schema's comment. */
const markUsed = (schema: string) => `
  do $$ begin
    execute format('comment on schema ${schema} is %L', 'used ' || extract(epoch from now())::bigint);
  end $$`
