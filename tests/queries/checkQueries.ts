import { type ClientBase, DatabaseError } from 'pg'
import type { Checker, Type } from 'typescript/unstable/sync'
import type { Collection } from './collectQueries.ts'
import { compareRows } from './compare.ts'
import { describe, SHOW_TREES } from './describe.ts'
import { Dynamic, type Variant } from './expand.ts'
import { type Catalogue, Nullability } from './nullability.ts'

export interface Checked {
  /** How many statements were compared, each with all the texts that it can become. */
  compared: number
  /** What is wrong, with file and line. */
  faults: string[]
  /** File and unknown part of each statement whose text is known only when the program runs. */
  dynamic: string[]
}

/**
 * Compares queries with the tables and functions of a database, in a transaction of the caller. Nothing runs but CREATE
 * TEMPORARY TABLE, because other queries read these tables.
 */
export async function checkQueries(client: ClientBase, { queries, checker }: Collection): Promise<Checked> {
  await client.query(SHOW_TREES)
  const dynamic: string[] = []
  const fixed: { place: string; rows: Type | null; texts: Text[] }[] = []
  for (const { place, rows, texts } of queries) {
    if (texts instanceof Dynamic) dynamic.push(`${place.replace(/:.*/, '')} ${texts.message}`)
    else fixed.push({ place, rows, texts: texts.map(write) })
  }
  for (const text of fixed.flatMap(({ texts }) => texts)) await makeTable(client, text)
  const catalogue = await readCatalogue(client)
  const faults: string[] = []
  for (const { place, rows, texts } of fixed) {
    const found = await attempt(client, () => compareTexts(client, checker, catalogue, rows, texts))
    faults.push(...found.map((fault) => `${place} ${fault}`))
  }
  return { compared: fixed.length, faults, dynamic }
}

/** Not a copy of a table under its own name, which lacks its keys. */
async function makeTable(client: ClientBase, { text, areNullable }: Text): Promise<void> {
  const [, name] = /^\s*create temporary table "?(\w+)/.exec(text) ?? []
  if (!name) return
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [
    name,
  ])
  if (rows[0]?.found === null) {
    const values = areNullable.map(() => null)
    await client.query(text, values)
  }
}

interface Text {
  text: string
  /** For each value that is sent beside the text. */
  areNullable: boolean[]
}

/** As `server/db/sql.ts` writes it. */
function write(variant: Variant): Text {
  const areNullable: boolean[] = []
  const text = variant.map((part) => {
    if (typeof part === 'string') return part
    if ('expression' in part) return part.text
    areNullable.push(part.mayBeNull)
    return `$${areNullable.length}${part.cast}`
  })
  return { text: text.join(''), areNullable }
}

/** The texts that one template becomes have the same columns. One of them can be null if it can be in any of them. */
async function compareTexts(
  client: ClientBase,
  checker: Checker,
  catalogue: Catalogue,
  rows: Type | null,
  texts: readonly Text[],
): Promise<string[]> {
  const neverNull: boolean[] = []
  const described = []
  for (const { text, areNullable } of texts) {
    const { fields, tree } = await describe(client, text)
    new Nullability(catalogue, areNullable).read(tree).forEach((is, n) => {
      neverNull[n] = is && neverNull[n] !== false
    })
    described.push(fields)
  }
  return rows
    ? [...new Set(described.flatMap((fields) => compareRows(checker, rows, fields, neverNull)))]
    : []
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

async function readCatalogue(client: ClientBase): Promise<Catalogue> {
  const functions = await client.query<{ oid: string; name: string; casts: boolean }>(
    `select oid::text, proname::text as name, oid in (
       select castfunc from pg_cast where castsource not in ('json'::regtype, 'jsonb'::regtype)) as casts from pg_proc`,
  )
  const columns = await client.query<{ name: string }>(
    `select attrelid || '.' || attnum as name from pg_attribute where attnotnull`,
  )
  return {
    notNull: new Set(columns.rows.map(({ name }) => name)),
    functionNames: new Map(functions.rows.map(({ oid, name }) => [oid, name])),
    casts: new Set(functions.rows.filter(({ casts }) => casts).map(({ oid }) => oid)),
  }
}
