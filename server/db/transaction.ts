import { pipeline } from 'node:stream/promises'
import type { Client, ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { DatabaseUnavailable, wrapConnectionError } from './connections.ts'
import { isStaleStatement, type RawResult, type StatementNames, send, sendScript, toRows } from './send.ts'
import {
  type Query,
  type Queryable,
  queryableOn,
  type Result,
  type Row,
  type Runner,
  type Statement,
  toStatement,
} from './sql.ts'

/** Statements on one connection that take effect together or not at all. */
export interface Transaction extends Queryable {
  /**
   * Sends `before` and `queries` in one message, so that PostgreSQL does not wait for this process between them. They may
   * not have values. Returns the rows of each of `queries`.
   */
  batch<Queries extends readonly Query<readonly object[]>[]>(
    before: readonly Query[],
    queries: readonly [...Queries],
  ): Promise<{ [N in keyof Queries]: Awaited<Queries[N]> }>
  /** Runs a COPY … FROM stdin with the bytes of `source`. */
  copyIn(statement: string, source: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /** Runs a COPY … TO stdout. */
  copyOut(statement: string): AsyncGenerator<Buffer, void>
}

/**
 * Runs `use` in a transaction on this connection.
 * @throws what `use` throws, after a rollback. Error when `use` ignored that a statement failed, after which PostgreSQL
 * rolls back.
 */
export async function inTransaction<T>(
  client: ClientBase,
  names: StatementNames | null,
  mode: string,
  use: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const statements = new StatementQueue(client, names)
  await statements.script(`begin ${mode}`)
  let result: T
  try {
    result = await use(transactionOn(statements))
  } catch (error) {
    // This fails if the connection was lost, which rolls back, too.
    await statements.end('rollback').catch(() => {})
    throw error
  }
  if ((await statements.end('commit')) !== 'COMMIT') {
    throw new Error('The transaction was rolled back because a statement failed.')
  }
  return result
}

function transactionOn(statements: StatementQueue): Transaction {
  return Object.assign(queryableOn(statements), {
    async batch(before: readonly Query[], queries: readonly Query[]) {
      const texts = [...before, ...queries].map((query) => {
        const { text, values } = toStatement(query)
        if (values.length > 0) throw new TypeError('A statement of a batch has values.')
        return text
      })
      return (await statements.script(texts.join(';\n'))).slice(before.length).map(toRows)
    },
    copyIn: (statement: string, source: AsyncIterable<Buffer> | Iterable<Buffer>) =>
      statements.enqueue((client) => pipeline(source, client.query(copyFrom(statement)))),
    copyOut: (statement: string) => statements.copyOut(statement),
  }) as unknown as Transaction
}

/** Sends one statement at a time, also when several are requested at once, and none after the transaction has ended. */
class StatementQueue implements Runner {
  readonly #client: ClientBase
  readonly #names: StatementNames | null
  #last: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(client: ClientBase, names: StatementNames | null) {
    this.#client = client
    this.#names = names
  }

  async run(statement: Statement): Promise<Result<Row[]>> {
    return toRows(await this.#send(statement))
  }

  async runForValues(statement: Statement): Promise<unknown[][]> {
    return (await this.#send(statement)).rows
  }

  script(text: string) {
    return this.enqueue((client) => sendScript(client, text))
  }

  enqueue<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(new Error('The transaction has ended.'))
    const done = this.#last.then(() => work(this.#client))
    this.#last = done.catch(() => {})
    return done.catch((error: unknown) => {
      throw wrapConnectionError(error)
    })
  }

  /** Sends the last statement. Returns what PostgreSQL did: after an error it rolls back instead of committing. */
  async end(command: 'commit' | 'rollback'): Promise<string> {
    const results = this.script(command)
    this.#isOver = true
    return (await results)[0]?.command ?? ''
  }

  async *copyOut(statement: string): AsyncGenerator<Buffer, void> {
    let end = () => {}
    const before = this.#last
    this.#last = new Promise<void>((resolve) => {
      end = resolve
    })
    await before
    let isComplete = false
    try {
      yield* this.#client.query(copyTo(statement)) as AsyncIterable<Buffer>
      isComplete = true
    } catch (error) {
      throw wrapConnectionError(error)
    } finally {
      // The remaining rows would still arrive on this connection, so it cannot be reused.
      if (!isComplete) void (this.#client as Client).end()
      end()
    }
  }

  async #send(statement: Statement): Promise<RawResult> {
    try {
      return await this.enqueue((client) => send(client, statement, this.#names))
    } catch (error) {
      if (!isStaleStatement(error)) throw error
      this.#names?.forget(statement.text)
      throw new DatabaseUnavailable(
        'The tables have changed. The statement will be prepared again for the next call.',
        {
          cause: error,
        },
      )
    }
  }
}
