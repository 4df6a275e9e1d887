import {
  MAX_COLLECTION_DESCRIPTION_LENGTH,
  MAX_COLLECTION_ITEMS,
  MAX_COLLECTION_NAME_LENGTH,
} from '../../contract/collections.ts'
import { cellText, isObject, parseJson, readLines, readValues, SONG_LISTS } from '../songFiles/readJson.ts'
import { type ImportItem, type ReadContext, shorten, textOf, UnknownContent } from './importItems.ts'
import { listLayout } from './readTable.ts'
import { JSON_SHAPES, type Row, readRow } from './shapes.ts'

/** After so many rows of another kind the file has none of ours. */
const MAX_UNKNOWN_ROWS = 10_000

/**
 * Reads a JSON array, a document with lists, or JSON lines, by the fields of its rows.
 * @throws UnknownContent when it has no songs.
 */
export async function* readJsonFile(
  head: string,
  chunks: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  const readListedRow = listedRowReader(context)
  let known = 0
  let unknown = 0
  for await (const { row, list } of isLines(head) ? rowsOfLines(chunks) : rowsOfDocument(head, chunks)) {
    const item = readJsonRow(row, list, context) ?? (isListed(list) ? readListedRow(row) : null)
    if (item) {
      known += 1
      yield item
    } else if (known > 0 && list === '') yield { leftOut: 'unreadable' }
    else if (known === 0 && ++unknown > MAX_UNKNOWN_ROWS) break
  }
  if (known === 0) throw new UnknownContent('This file has no songs in a form that is known here.')
}

/** One object a line: more follow, or it is a row of its own. */
function isLines(head: string): boolean {
  const [first = '', second = ''] = head.split('\n', 2)
  const row = parseJson(first)
  return isObject(row) && (second.startsWith('{') || findShape(row, '') !== undefined)
}

interface ListedRow {
  row: unknown
  /** The name of its list, empty for the whole file. */
  list: string
}

async function* rowsOfLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ListedRow> {
  for await (const line of readLines(chunks)) if (line.trim()) yield { row: parseJson(line), list: '' }
}

/** Lists that are deeper in a document. Of others no list is in memory as a whole. */
const DEEP_LISTS = [
  { begins: /^\{\s*"playlists"/, path: '$.playlists.*.items.*', list: 'playlists' },
  { begins: /^\{\s*"playlist"/, path: '$.playlist.track.*', list: 'playlist' },
  { begins: /^\{\s*"payload"/, path: '$.payload.listens.*', list: 'payload' },
]

async function* rowsOfDocument(head: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<ListedRow> {
  const deep = DEEP_LISTS.find(({ begins }) => begins.test(head))
  const path = deep?.path ?? (head.startsWith('[') ? '$.*' : '$.*.*')
  for await (const { value, stack } of readValues(chunks, [path])) {
    const list = deep?.list ?? (path === '$.*' ? '' : String(stack[1]?.key))
    // Last.fm has pages of plays.
    const page = isObject(value) && Array.isArray(value.track) ? value.track : value
    for (const row of [page].flat()) yield { row, list }
  }
}

function readJsonRow(row: unknown, list: string, context: ReadContext): ImportItem | null {
  if (!isObject(row)) return null
  if (list === 'collections' && Array.isArray(row.items)) return readCollection(row, row.items, context)
  // Ratings and collections come along.
  if (list === 'mixes' && Array.isArray(row.songs)) return { leftOut: 'mix' }
  const shape = findShape(row, list)
  return shape ? readRow(shape, row, context) : null
}

const isListed = (list: string) => list === '' || SONG_LISTS.includes(list)

const findShape = (row: Row, list: string) =>
  JSON_SHAPES.find(
    ({ has, list: own }) =>
      (list === '' ? has.length > 0 : !own || own === list) && has.every((name) => name in row),
  )

/** Reads objects with a title, and an artist or id, like rows of a table. */
function listedRowReader(context: ReadContext) {
  const layouts = new Map<string, ReturnType<typeof listLayout>>()
  return (row: unknown): ImportItem | null => {
    if (!isObject(row)) return null
    const names = Object.keys(row)
    const key = names.join('\n')
    const layout = layouts.get(key) ?? listLayout(names, context, 'Songs (JSON)')
    if (layouts.size < MAX_LAYOUTS) layouts.set(key, layout)
    const values = names.map((name) => cellText(row[name]) ?? '')
    return layout && readRow(layout.shape, layout.toRow(values), context)
  }
}

const MAX_LAYOUTS = 100

/** A collection of our own data: a person who moves brings it along. */
function readCollection(row: Row, items: unknown[], { sources }: ReadContext): ImportItem | null {
  const name = shorten(textOf(row.name), MAX_COLLECTION_NAME_LENGTH)
  if (!name) return null
  sources.add('Banger or Bust, data')
  return {
    collection: {
      name,
      description: shorten(textOf(row.description), MAX_COLLECTION_DESCRIPTION_LENGTH) || null,
      isPublic: row.isPublic === true,
      microgenres: items
        .map((item) => (isObject(item) ? shorten(textOf(item.microgenre)) : ''))
        .filter(Boolean)
        .slice(0, MAX_COLLECTION_ITEMS),
    },
  }
}
