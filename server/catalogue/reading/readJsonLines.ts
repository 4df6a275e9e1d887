import { StringDecoder } from 'node:string_decoder'
import { BadInput } from '../fault.ts'
import { cellsOfObject } from './cellsOfObject.ts'
import type { FindColumn } from './columns.ts'
import { LONGEST_ROW, type Read } from './read.ts'

/** One JSON object per line. A malformed line is a fault. ⏎ @throws BadInput for a line that does not end. */
export async function* readJsonLines(
  chunks: AsyncIterable<Buffer>,
  find: FindColumn,
  unused: Set<string>,
): AsyncGenerator<Read> {
  let line = 0
  for await (const text of linesOf(chunks)) {
    line += 1
    if (text.trim() === '') continue
    const value = parse(text)
    yield value === undefined
      ? { line, fault: 'is not JSON' }
      : { line, ...cellsOfObject(value, find, unused) }
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let line = 0
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    line += lines.length
    if (rest.length > LONGEST_ROW) {
      throw new BadInput(`The file cannot be read from line ${line + 1} on: the row does not end.`)
    }
    yield* lines.map((text) => text.replace(/^\uFEFF/, ''))
  }
  if (rest) yield rest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
