import { StringDecoder } from 'node:string_decoder'
import { JSONParser, type ParsedElementInfo } from '@streamparser/json-node'
import { BadInput } from '../fault.ts'
import type { Cells, Column, FindColumn } from './columns.ts'
import { end, LONGEST_ROW, type Read, write } from './read.ts'

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

/** Unused names that are kept: every object may have others. */
const MOST_UNUSED = 50

/** The cells of a JSON object, or why it has none. Numbers and booleans become text. */
function cellsOfObject(
  value: unknown,
  find: FindColumn,
  unused: Set<string>,
): { cells: Cells } | { fault: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'is not an object' }
  const cells: Cells = {}
  const ranks: Partial<Record<Column, number>> = {}
  for (const [name, content] of Object.entries(value)) {
    const named = find(name)
    if (!named) {
      if (unused.size < MOST_UNUSED) unused.add(name)
      continue
    }
    const text = textOf(content)
    if (text === undefined) return { fault: `must have text or a number in '${name.slice(0, 40)}'` }
    if (text === '' || (ranks[named.column] ?? Number.POSITIVE_INFINITY) <= named.rank) continue
    ranks[named.column] = named.rank
    cells[named.column] = text
  }
  return { cells }
}

function textOf(content: unknown): string | undefined {
  if (content === null) return ''
  if (typeof content === 'string') return content
  if (typeof content === 'number' || typeof content === 'boolean') return String(content)
  // Many services list several artists.
  if (Array.isArray(content) && content.every((part) => typeof part === 'string')) return content.join(', ')
  return undefined
}
