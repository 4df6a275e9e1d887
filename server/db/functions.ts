import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import { packageFolder } from '../packageFolder.ts'

/** The functions of one version of the server. */
export interface FunctionSet {
  /** Increases with every change to any function: a server never changes functions of a higher revision. */
  revision: number
  /** A CREATE OR REPLACE FUNCTION statement for each name. */
  texts: ReadonlyMap<string, string>
}

const FOLDER = packageFolder('server/db/functions')

export function readFunctions(): FunctionSet {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.basename(file, '.sql'))
  const { revision } = JSON.parse(readFileSync(path.join(FOLDER, 'revision.json'), 'utf8')) as {
    revision: number
  }
  return {
    revision,
    texts: new Map(names.map((name) => [name, readFileSync(path.join(FOLDER, `${name}.sql`), 'utf8')])),
  }
}

/**
 * Replaces the database's functions by this set, unless they have a higher revision: then this server is an older one
 * beside a newer one. Part of the caller's transaction.
 * @throws Error that names the function which could not be created, replaced or dropped.
 */
export async function applyFunctions(client: ClientBase, { revision, texts }: FunctionSet): Promise<void> {
  const applied = await readMarks(client)
  if ([...applied.values()].some((mark) => mark.revision > revision)) return
  // A function may call another one that is created after it.
  await client.query('set local check_function_bodies = off')
  for (const [name, text] of texts) {
    const mark = applied.get(name)
    const hash = sha256(text)
    if (mark?.hash !== hash) await change(client, name, text)
    if (mark?.hash !== hash || mark.revision !== revision) {
      const comment = escapeLiteral(`${MARK}revision ${revision}, sha256 ${hash}`)
      // Without arguments this also fails if there are two functions of this name: arguments were changed, not
      // replaced.
      await change(client, name, `comment on function ${escapeIdentifier(name)} is ${comment}`)
    }
  }
  for (const name of applied.keys()) {
    if (!texts.has(name)) await change(client, name, `drop function ${escapeIdentifier(name)}`)
  }
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Mark {
  revision: number
  hash: string
}

/**
 * The mark is the function's comment instead of a row in a table: it comes and goes with the function, also when a
 * backup's rows are loaded. The operator's own functions have none.
 */
const MARK = 'Banger or Bust: '

async function readMarks(client: ClientBase): Promise<Map<string, Mark>> {
  const { rows } = await client.query<{ name: string; comment: string }>(
    `select p.proname as name, d.description as comment
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass
     where n.nspname = current_schema() and starts_with(d.description, $1)`,
    [MARK],
  )
  return new Map(
    rows.map(({ name, comment }) => {
      const [, revision, hash = ''] = /revision (\d+), sha256 (\w+)/.exec(comment) ?? []
      return [name, { revision: Number(revision ?? 0), hash }]
    }),
  )
}

async function change(client: ClientBase, name: string, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    throw new Error(`The database function ${name} cannot be changed: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
