import { JSONParser, type ParsedElementInfo } from '@streamparser/json-node'
import { BadInput } from '../fault.ts'
import { cellsOfObject } from './cellsOfObject.ts'
import type { FindColumn } from './columns.ts'
import type { Read } from './read.ts'

/** Bytes per item: an item is held in memory. */
const LONGEST_ITEM = 1 << 20

/**
 * Items of a JSON array at `path`, such as `$.*`.
 * @throws BadInput at malformed JSON, after the items before it; the message names the item.
 */
export async function* readJsonItems(
  chunks: AsyncIterable<Buffer>,
  path: string,
  find: FindColumn,
  unused: Set<string>,
): AsyncGenerator<Read> {
  let line = 0
  try {
    for await (const value of valuesOf(chunks, path)) {
      line += 1
      yield { line, ...cellsOfObject(value, find, unused) }
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    throw new BadInput(`The file cannot be read from item ${line + 1} on: ${why}`)
  }
}

/** Feeds the parser in chunks: its own stream drops parsed items at an error. */
async function* valuesOf(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<unknown> {
  // Items are consumed at once, so the parser does not need backpressure.
  const parser = new JSONParser(
    { paths: [path], keepStack: false },
    { readableHighWaterMark: Number.MAX_SAFE_INTEGER },
  )
  // The call that caused the error throws it as well.
  parser.on('error', () => {})
  let waiting = 0
  for await (const chunk of chunks) {
    waiting += chunk.length
    const error = await write(parser, chunk)
    for (const value of taken(parser)) {
      waiting = 0
      yield value
    }
    if (error) throw error
    if (waiting > LONGEST_ITEM) throw new BadInput('the item does not end.')
  }
  const error = await end(parser)
  yield* taken(parser)
  if (error) throw error
}

function* taken(parser: JSONParser): Generator<unknown> {
  for (;;) {
    const found = parser.read() as ParsedElementInfo | null
    if (found === null) return
    yield found.value
  }
}

function write(parser: JSONParser, chunk: Buffer): Promise<Error | null | undefined> {
  return new Promise((resolve) => void parser.write(chunk, resolve))
}

function end(parser: JSONParser): Promise<Error | null | undefined> {
  return new Promise((resolve) => {
    parser.once('error', resolve)
    parser.end(() => resolve(null))
  })
}
