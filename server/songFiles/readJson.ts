import { StringDecoder } from 'node:string_decoder'
import { JSONParser, type ParsedElementInfo } from '@streamparser/json-node'
import { BadInput } from '../inputErrors.ts'
import { type Cells, type Column, type FindColumn, findAmongNames, readCell } from './columns.ts'
import { endParser, feedParser, MAX_ROW_BYTES, type ReadRow } from './read.ts'

/** Bytes per item: an item is held in memory. */
const MAX_ITEM_BYTES = 1 << 20

/** The lists of a document that have songs. */
export const SONG_LISTS = ['songs', 'tracks', 'items', 'playlists']

/**
 * Streams the songs of a JSON array, or of a document: `{"songs": […]}`, `tracks` among other lists as in Spotify's
 * YourLibrary.json, or the items of its playlists.
 * @throws BadInput
 */
export async function* readJsonItems(
  chunks: AsyncIterable<Buffer>,
  isDocument: boolean,
  find: FindColumn,
  unused: Set<string>,
): AsyncGenerator<ReadRow> {
  let line = 0
  for await (const { value, stack } of readValues(chunks, isDocument ? DOCUMENT_PATHS : ['$.*'])) {
    const list = String(stack[1]?.key ?? '')
    // A playlist comes after its items.
    if (list === 'playlists' && stack.length === 2) continue
    if (isDocument && !SONG_LISTS.includes(list)) unused.add(list)
    else yield { line: ++line, ...cellsOfObject(value, find, unused) }
  }
  if (isDocument && line === 0)
    throw new BadInput(`The file has no song in a list that is named ${SONG_LISTS.join(', ')}.`)
}

const DOCUMENT_PATHS = ['$.*.*', '$.playlists.*.items.*']

/**
 * Feeds the parser in chunks, because its own stream drops parsed items at an error.
 * @throws BadInput at malformed JSON, after the items before it; the message names the item.
 */
export async function* readValues(
  chunks: AsyncIterable<Buffer>,
  paths: string[],
): AsyncGenerator<ParsedElementInfo> {
  // Items are consumed at once, so the parser does not need backpressure.
  const parser = new JSONParser(
    { paths, keepStack: false },
    { readableHighWaterMark: Number.MAX_SAFE_INTEGER },
  )
  // The call that caused the error throws it as well.
  parser.on('error', () => {})
  let pendingBytes = 0
  let items = 0
  function* read() {
    for (let found = parser.read(); found !== null; found = parser.read()) {
      pendingBytes = 0
      items += 1
      yield found as ParsedElementInfo
    }
  }
  try {
    for await (const chunk of chunks) {
      pendingBytes += chunk.length
      const error = await feedParser(parser, chunk)
      yield* read()
      if (error) throw error
      if (pendingBytes > MAX_ITEM_BYTES) throw new Error('the item does not end.')
    }
    const error = await endParser(parser)
    yield* read()
    if (error) throw error
  } catch (error) {
    if (error instanceof BadInput) throw error
    const why = error instanceof Error ? error.message : 'unknown'
    throw new BadInput(`The file cannot be read from item ${items + 1} on: ${why}`)
  }
}

/**
 * Streams one JSON object per line. A malformed line is a fault.
 * @throws BadInput for a line that does not end.
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Buffer>,
  find: FindColumn,
  unused: Set<string>,
): AsyncGenerator<ReadRow> {
  let line = 0
  for await (const text of readLines(chunks)) {
    line += 1
    if (text.trim() === '') continue
    const value = parseJson(text)
    yield value === undefined
      ? { line, fault: 'is not JSON' }
      : { line, ...cellsOfObject(value, find, unused) }
  }
}

export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let line = 0
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    line += lines.length
    if (rest.length > MAX_ROW_BYTES) {
      throw new BadInput(`The file cannot be read from line ${line + 1} on: the row does not end.`)
    }
    yield* lines
  }
  if (rest) yield rest
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Limits the unused names, because every object may have others. */
const MAX_UNUSED_NAMES = 50

/** The cells of a JSON object, or why it has none. Numbers and booleans become text. */
export function cellsOfObject(
  value: unknown,
  find: FindColumn,
  unused: Set<string>,
): { cells: Cells } | { fault: string } {
  if (!isObject(value)) return { fault: 'is not an object' }
  // In Spotify's playlists one of the two is the song.
  const song = [value.track, value.localTrack].find(isObject) ?? value
  const cells: Cells = {}
  const ranks: Partial<Record<Column, number>> = {}
  const findHere = findAmongNames(Object.keys(song), find)
  for (const [name, content] of Object.entries(song)) {
    const named = findHere(name)
    if (!named) {
      if (unused.size < MAX_UNUSED_NAMES) unused.add(name)
      continue
    }
    const text = cellText(content)
    if (text === undefined) return { fault: `must have text or a number in '${name.slice(0, 40)}'` }
    const cell = readCell(named, text)
    if (cell === '' || (ranks[named.column] ?? Number.POSITIVE_INFINITY) <= named.rank) continue
    ranks[named.column] = named.rank
    cells[named.column] = cell
  }
  return { cells }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Numbers and booleans become text. Undefined for other objects. */
export function cellText(content: unknown): string | undefined {
  if (content === null) return ''
  if (typeof content === 'string') return content
  if (typeof content === 'number' || typeof content === 'boolean') return String(content)
  // Many services list several artists.
  if (Array.isArray(content) && content.every((part) => typeof part === 'string')) return content.join(', ')
  return undefined
}
