import { type ClientBase, DatabaseError } from 'pg'
import type { Checker, Type } from 'typescript/unstable/sync'
import type { Collection } from './collectQueries.ts'
import { compareRows, describeQuery } from './compare.ts'
import { Dynamic, type Variant } from './expand.ts'

export interface CheckResult {
  /** How many statements were compared, each with all the texts that it can become. */
  compared: number
  /** What is wrong, with file and line. */
  faults: string[]
  /** File and unknown part of each statement whose text is known only when the program runs. */
  dynamic: string[]
}

/**
 * Compares queries with the tables and functions of a database, in a transaction of the caller. Only CREATE
 * TEMPORARY TABLE runs, because other queries read these tables.
 */
export async function checkQueries(
  client: ClientBase,
  { queries, checker }: Collection,
): Promise<CheckResult> {
  const dynamic: string[] = []
  const fixed: { place: string; rows: Type | null; texts: string[] }[] = []
  for (const { place, rows, texts } of queries) {
    if (texts instanceof Dynamic) dynamic.push(`${place.replace(/:.*/, '')} ${texts.message}`)
    else fixed.push({ place, rows, texts: texts.map(write) })
  }
  for (const text of fixed.flatMap(({ texts }) => texts)) await makeTable(client, text)
  const faults: string[] = []
  for (const { place, rows, texts } of fixed) {
    const differences = await attempt(client, () => compareTexts(client, checker, rows, texts))
    faults.push(...differences.map((fault) => `${place} ${fault}`))
  }
  return { compared: fixed.length, faults, dynamic }
}

/** Not a copy of a table under its own name, which lacks its keys. */
async function makeTable(client: ClientBase, text: string): Promise<void> {
  const [, name] = /^\s*create temporary table "?(\w+)/.exec(text) ?? []
  if (!name) return
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [
    name,
  ])
  const values = [...new Set(text.match(/\$\d+/g))].map(() => null)
  if (rows[0]?.found === null) await client.query(text, values)
}

/** As `server/db/sql.ts` writes it. */
function write(variant: Variant): string {
  let values = 0
  return variant
    .map((part) => {
      if (typeof part === 'string') return part
      return 'expression' in part ? part.text : `$${++values}${part.cast}`
    })
    .join('')
}

/** The texts that one template becomes have the same columns. */
async function compareTexts(
  client: ClientBase,
  checker: Checker,
  rows: Type | null,
  texts: readonly string[],
): Promise<string[]> {
  const faults: string[] = []
  for (const text of texts) {
    const fields = await describeQuery(client, text)
    if (rows) faults.push(...compareRows(checker, rows, fields))
  }
  return [...new Set(faults)]
}

/** PostgreSQL's error is a fault of the query; the transaction goes on. */
async function attempt(client: ClientBase, find: () => Promise<string[]>): Promise<string[]> {
  await client.query('savepoint one')
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    await client.query('rollback to savepoint one')
    return [error.message]
  }
}
