import type { ClientBase, QueryArrayResult, QueryConfig } from 'pg'
import { camelCase, columnTypes } from './columns.ts'
import { wrapConnectionError } from './connections.ts'
import type { Result, Row, Statement } from './sql.ts'

export type RawResult = QueryArrayResult<unknown[]>

/** Names for prepared statements. The same text has the same name on all connections of a pool. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #given = 0

  /** Undefined when there are very many: each prepared statement uses memory on every connection. */
  nameOf(text: string): string | undefined {
    const existing = this.#names.get(text)
    if (existing !== undefined || this.#names.size >= MAX_PREPARED_STATEMENTS) return existing
    const name = `s${++this.#given}`
    this.#names.set(text, name)
    return name
  }

  /** The prepared statement is unusable, so the text gets another name next time. */
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
  const name = names?.nameOf(text)
  return query(client, { text, values, name })
}

/** Sends several statements at once. Returns a result for each. */
export async function sendScript(client: ClientBase, text: string): Promise<RawResult[]> {
  const results: RawResult | RawResult[] = await query(client, { text })
  return Array.isArray(results) ? results : [results]
}

async function query(client: ClientBase, config: QueryConfig): Promise<RawResult> {
  try {
    return await client.query<unknown[]>({ ...config, rowMode: 'array', types: columnTypes })
  } catch (error) {
    throw wrapConnectionError(error)
  }
}

/** Whether a statement was not run because its prepared statement no longer fits the tables, or is gone. */
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
  // Not enumerable, so that comparing lists ignores it.
  return Object.defineProperty(read, 'count', { value: rowCount ?? 0 }) as Result<Row[]>
}
