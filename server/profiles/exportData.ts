import { Readable } from 'node:stream'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { type Answer, fileDownload } from '../http/answers.ts'
import { readDataLists } from './dataLists.ts'
import { readAccountData } from './readAccount.ts'

/** Everything stored about a listener, as one JSON object, streamed (people-23). */
export function exportData(db: Database, env: Env, listener: string): Answer {
  return fileDownload(
    'application/json; charset=utf-8',
    Readable.from(writeData(db, env, listener), { highWaterMark: 1 }),
    'banger-or-bust-data.json',
  )
}

/** The text in pieces, each of one batch of rows at most. */
export async function* writeData(db: Database, env: Env, listener: string): AsyncGenerator<string> {
  yield `{\n"exportedAt": ${JSON.stringify(new Date())}`
  for (const [name, value] of Object.entries(await readAccountData(db, env, listener)))
    yield `,\n"${name}": ${JSON.stringify(value)}`
  for (const [name, batches] of Object.entries(readDataLists(db, env, listener))) {
    yield `,\n"${name}": [`
    let separator = '\n'
    for await (const rows of batches) {
      yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
      separator = ',\n'
    }
    yield ']'
  }
  yield '\n}\n'
}
