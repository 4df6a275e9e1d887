import type { Entry } from 'yauzl'
import { BadInput } from '../inputErrors.ts'
import { type ImportItem, type ReadContext, readEach } from './importItems.ts'
import { readTable } from './readTable.ts'
import { readTags } from './readXml.ts'

/** The texts of all sheets are held in memory. */
const MAX_TEXT_BYTES = 64 * 1024 ** 2
const MAX_COLUMNS = 200

type ReadEntry = (entry: Entry) => AsyncIterable<Buffer>

export const isWorkbook = (entries: Entry[]): boolean =>
  entries.some(({ fileName }) => fileName.toLowerCase() === 'xl/workbook.xml')

/** The sheets of an XLSX file, each as a table. Others are skipped. */
export async function* readWorkbook(
  entries: Entry[],
  read: ReadEntry,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  const texts = await readTexts(entries, read)
  yield* readEach(
    entries.filter(({ fileName }) => /^xl\/worksheets\/[^/]+\.xml$/i.test(fileName)),
    (sheet) => readTable(recordsOf(read(sheet), texts), context),
    'The workbook has no table.',
  )
}

async function readTexts(entries: Entry[], read: ReadEntry): Promise<string[]> {
  const entry = entries.find(({ fileName }) => fileName.toLowerCase() === 'xl/sharedstrings.xml')
  if (!entry) return []
  if (entry.uncompressedSize > MAX_TEXT_BYTES)
    throw new BadInput('The workbook has too much text. Please save its table as CSV.')
  const texts: string[] = []
  let text = ''
  for await (const tags of readTags(read(entry))) {
    for (const tag of tags) {
      if (tag.name === 't') text += tag.text
      if (tag.name !== 'si' || tag.attributes) continue
      texts.push(text)
      text = ''
    }
  }
  return texts
}

async function* recordsOf(chunks: AsyncIterable<Buffer>, texts: string[]): AsyncGenerator<string[]> {
  let record: string[] = []
  let width = 0
  let column = 0
  let isShared = false
  for await (const tags of readTags(chunks)) {
    for (const { name, attributes, text } of tags) {
      if (name === 'c' && attributes) {
        column = attributes.r ? columnOf(attributes.r) : column + 1
        isShared = attributes.t === 's'
      } else if ((name === 'v' || name === 't') && !attributes && column < MAX_COLUMNS)
        record[column] = isShared ? (texts[Number(text)] ?? '') : text
      else if (name === 'row' && attributes) column = -1
      else if (name === 'row') {
        // Empty cells are left out.
        width = Math.max(width, record.length)
        if (record.length > 0) yield Array.from({ length: width }, (_, place) => record[place] ?? '')
        record = []
      }
    }
  }
}

/** From 0: 'B7' is the second column. */
function columnOf(place: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(place)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
