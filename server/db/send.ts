import type { ClientBase, QueryArrayResult } from 'pg'
import { types } from 'pg'
import { countError, wrapConnectionError } from './connections.ts'
import type { Result, Row, Statement } from './sql.ts'

export type RawResult = QueryArrayResult<unknown[]>

/** Names for prepared statements. The same text has the same name on all connections of a pool. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #given = 0

  /** Undefined when there are too many, because a prepared statement uses memory on every connection. */
  nameOf(text: string): string | undefined {
    const existing = this.#names.get(text)
    if (existing !== undefined || this.#names.size >= MAX_PREPARED_STATEMENTS) return existing
    const name = `s${++this.#given}`
    this.#names.set(text, name)
    return name
  }

  /** Call it when the prepared statement is unusable. The text then gets another name. */
  forget(text: string): void {
    this.#names.delete(text)
  }
}

const MAX_PREPARED_STATEMENTS = 1000

/** Sends a statement, as a prepared one if there are `names`. Returns the last result of a script. */
export async function send(
  client: ClientBase,
  { text, values, isScript }: Statement,
  names: StatementNames | null,
): Promise<RawResult> {
  if (isScript) return (await sendScript(client, text)).at(-1) as RawResult
  return query(client, text, values, names?.nameOf(text))
}

/** Sends several statements in one message. Returns a result for each. */
export async function sendScript(client: ClientBase, text: string): Promise<RawResult[]> {
  const results: RawResult | RawResult[] = await query(client, text)
  return Array.isArray(results) ? results : [results]
}

async function query(
  client: ClientBase,
  text: string,
  values?: unknown[],
  name?: string,
): Promise<RawResult> {
  try {
    return await client.query<unknown[]>({ text, values, name, rowMode: 'array', types: columnTypes })
  } catch (error) {
    throw countError(wrapConnectionError(error))
  }
}

/** Whether a statement did not run because its prepared statement no longer fits the tables, or does not exist. */
export function isStaleStatement(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}

export function toRows({ rows, fields, rowCount }: RawResult): Result<Row[]> {
  const names = fields.map(({ name }) => camelCase(name))
  const read = rows.map((cells) => {
    const row: Row = {}
    for (let n = 0; n < names.length; n++) row[names[n] as string] = cells[n]
    return row
  })
  // Not enumerable, so that comparisons of lists ignore it.
  return Object.defineProperty(read, 'count', { value: rowCount ?? 0 }) as Result<Row[]>
}

type Parse = (text: string) => unknown

/** For all other types: bigint (ids are opaque, calls-7), numeric, interval and so on lose no precision as text. */
const asText: Parse = (text) => text
const asDate: Parse = (text) => new Date(text)
const asBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')

/** The oid of a type in pg_type, the oid of its array type, and the parser of one value. */
const TYPES: readonly (readonly [value: number, list: number, parse: Parse])[] = [
  [16, 1000, (text) => text === 't'], // boolean
  [17, 1001, asBytes], // bytea
  [21, 1005, Number], // smallint
  [23, 1007, Number], // integer
  [26, 1028, Number], // oid
  [700, 1021, Number], // real
  [701, 1022, Number], // double precision
  [114, 199, JSON.parse], // json
  [3802, 3807, JSON.parse], // jsonb
  [1082, 1182, asDate], // date
  [1114, 1115, asDate], // timestamp
  [1184, 1185, asDate], // timestamptz
  [20, 1016, asText], // bigint
  [25, 1009, asText], // text
  [1043, 1015, asText], // varchar
  [1042, 1014, asText], // char
  [19, 1003, asText], // name
  [1700, 1231, asText], // numeric
  [1083, 1183, asText], // time
  [1186, 1187, asText], // interval
  [2950, 2951, asText], // uuid
  [869, 1041, asText], // inet
]

const PARSERS = new Map(
  TYPES.flatMap(([value, list, parse]): [number, Parse][] => [
    [value, parse],
    [list, (text) => parseList(asTexts(text), parse)],
  ]),
)

type Texts = readonly (string | null | Texts)[]

const TEXT_LIST = 1009

/** Arrays of all types have the same text format, so this parser splits them. */
const asTexts = types.getTypeParser(TEXT_LIST as number) as (text: string) => Texts

function parseList(texts: Texts, parse: Parse): unknown[] {
  return texts.map((each) =>
    each === null ? null : typeof each === 'string' ? parse(each) : parseList(each, parse),
  )
}

/** The parsers that pg uses for columns. */
export const columnTypes = { getTypeParser: (oid: number) => PARSERS.get(oid) ?? asText }

const names = new Map<string, string>()

/** `first_name` becomes `firstName`. */
export function camelCase(column: string): string {
  let name = names.get(column)
  if (name === undefined) {
    name = column.replace(/(?!^)_(.)/g, (_, letter: string) => letter.toUpperCase())
    if (names.size < MAX_CACHED_NAMES) names.set(column, name)
  }
  return name
}

/** Far more than there are columns, but statements can name others. */
const MAX_CACHED_NAMES = 10_000
