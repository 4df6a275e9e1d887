import { StringDecoder } from 'node:string_decoder'
import { SaxesParser } from 'saxes'
import { BadInput } from '../inputErrors.ts'
import { type ImportItem, type ReadContext, UnknownContent } from './importItems.ts'
import { type Row, readRow, XML_SHAPES } from './shapes.ts'

export interface Tag {
  name: string
  /** Of the start of an element; null at its end. */
  attributes: Record<string, string> | null
  /** Of the end of an element without others: its text. */
  text: string
}

/** An element is held in memory. */
const MAX_TEXT_BYTES = 1 << 20

/**
 * Streams the tags of a document, in lists. Entities are never resolved: no service declares any.
 * @throws BadInput
 */
export async function* readTags(chunks: AsyncIterable<Buffer>): AsyncGenerator<Tag[]> {
  const parser = new SaxesParser({ position: false })
  let tags: Tag[] = []
  let text = ''
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new BadInput('The file declares entities, which are not read.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    tags.push({ name: localName(name), attributes: attributes as Record<string, string>, text: '' })
    text = ''
  })
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (part) => {
      text += part
    })
  parser.on('closetag', ({ name }) => {
    tags.push({ name: localName(name), attributes: null, text })
    text = ''
  })
  const decoder = new StringDecoder('utf8')
  let pendingBytes = 0
  try {
    for await (const chunk of chunks) {
      pendingBytes += chunk.length
      parser.write(decoder.write(chunk))
      if (tags.length > 0) {
        pendingBytes = 0
        yield tags
        tags = []
      } else if (pendingBytes > MAX_TEXT_BYTES)
        throw new BadInput('The file has an element that does not end.')
    }
    parser.close()
    yield tags
  } catch (error) {
    if (error instanceof BadInput || !(error instanceof Error)) throw error
    throw new BadInput(`The file's XML cannot be read: ${error.message}.`)
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** The rows of a playlist (XSPF) or of the library of Music.app. */
export async function* readXmlFile(
  chunks: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  let row: Row | null = null
  let key = ''
  let known = 0
  for await (const tags of readTags(chunks)) {
    for (const { name, attributes, text } of tags) {
      const isRow = name === 'track' || name === 'dict'
      if (isRow && attributes) {
        row = {}
        key = ''
      } else if (isRow && row) {
        const item = readXmlRow(name, row, context)
        row = null
        if (!item) continue
        known += 1
        yield item
      } else if (row && !attributes) {
        if (name === 'key') key = text
        else addValue(row, key || name, name === 'true' ? true : name === 'false' ? false : text)
      }
    }
  }
  if (known === 0) throw new UnknownContent('This file has no songs in a form that is known here.')
}

const MAX_VALUES = 200

function addValue(row: Row, name: string, value: unknown): void {
  if (name in row) row[name] = [row[name], value].flat().slice(0, MAX_VALUES)
  else if (Object.keys(row).length < MAX_VALUES) row[name] = value
}

function readXmlRow(list: string, row: Row, context: ReadContext): ImportItem | null {
  const shape = XML_SHAPES.find((one) => one.list === list && one.has.every((name) => name in row))
  return shape ? readRow(shape, row, context) : null
}
