import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Entry } from 'yauzl'
import { BadInput } from '../inputErrors.ts'
import { countBytes, decompress, peek } from '../songFiles/openRows.ts'
import { guessEncoding, toPlainText } from '../songFiles/toPlainText.ts'
import { HelpfulRefusal, type ImportItem, type ReadContext, readEach, UnknownContent } from './importItems.ts'
import { readJsonFile } from './readJsonFile.ts'
import { readTextFile } from './readTable.ts'
import { isWorkbook, readWorkbook } from './readWorkbook.ts'
import { readXmlFile } from './readXml.ts'
import { limitUnpacked, openArchive } from './unpack.ts'

/** `columns` are those of a table, such as `title=Track,artist=Band`. */
export const newContext = (columns = ''): ReadContext => ({
  columns,
  now: new Date(),
  sources: new Set(),
  progress: { bytes: 0, size: 0 },
  unpacked: 0,
})

/**
 * Reads songs and verdicts from a file of another service, found by its content, zip or bare, streamed.
 * @throws BadInput with a sentence for the listener; UnknownColumns for a table.
 */
export async function* readImport(file: string, context: ReadContext): AsyncGenerator<ImportItem> {
  const { progress } = context
  progress.size = (await stat(file)).size
  const source = createReadStream(file, { highWaterMark: 1 << 18 })
  const [beginning, chunks] = await peek(source)
  if (beginning.length === 0) throw new BadInput('The file is empty.')
  if (isZip(beginning)) {
    source.destroy()
    yield* readArchive(file, context)
  } else
    yield* readContent(limitUnpacked(await decompress(countBytes(chunks, progress)), progress.size), context)
  progress.bytes = progress.size
}

const isZip = (bytes: Buffer) => ['504b0304', '504b0506'].includes(bytes.toString('hex', 0, 4))

/** Archives also have files about other things, which are skipped. */
async function* readArchive(file: string, context: ReadContext): AsyncGenerator<ImportItem> {
  const archive = await openArchive(file, mayHaveSongs, context)
  const read = (entry: Entry) =>
    countBytes(
      archive.read(entry),
      context.progress,
      entry.compressedSize / Math.max(1, entry.uncompressedSize),
    )
  try {
    if (isWorkbook(archive.entries)) yield* readWorkbook(archive.entries, read, context)
    else
      yield* readEach(
        archive.entries,
        (entry) => readContent(read(entry), context),
        'The archive has no file of songs in a form that is known here.',
        'file',
      )
  } finally {
    archive.close()
  }
}

/** Not folders, media, and the shadows of files that a Mac adds. People rename the others. */
const mayHaveSongs = ({ fileName }: Entry) =>
  !/^__MACOSX\/|(^|\/)\._[^/]*$|\/$|\.(jpe?g|png|gif|webp|heic|svg|mp[34]|m4[abpv]|mov|mkv|webm|avi|wav|flac|ogg|opus|aac|pdf)$/i.test(
    fileName,
  )

/** One file that is not packed. */
async function* readContent(
  unpacked: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  const [beginning, bytes] = await peek(unpacked)
  if (isZip(beginning)) return yield* readPackedWorkbook(bytes, context)
  const [head, chunks] = await peek(toPlainText(bytes, beginning, guessEncoding(beginning)))
  const text = head.toString().trimStart()
  if (text.includes('\0')) throw new UnknownContent('This file holds no text. Of archives, zip is read.')
  if (/^<(!doctype html|html|head|body)/i.test(text))
    throw new HelpfulRefusal(
      'This is a web page. Please choose JSON where you order the file, in Google Takeout for the history.',
    )
  if (text.startsWith('<')) yield* readXmlFile(chunks, context)
  else if (/^[[{]/.test(text)) yield* readJsonFile(text, chunks, context)
  else yield* readTextFile(text, chunks, context)
}

/** What Deezer gives has a tenth of it. */
const MAX_PACKED_WORKBOOK_BYTES = 16 * 1024 ** 2

/** A workbook in an archive, which is itself one, in memory. */
async function* readPackedWorkbook(
  chunks: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  const read: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_PACKED_WORKBOOK_BYTES) break
    read.push(chunk)
  }
  if (size <= MAX_PACKED_WORKBOOK_BYTES) {
    const archive = await openArchive(Buffer.concat(read), mayHaveSongs, context)
    if (isWorkbook(archive.entries)) return yield* readWorkbook(archive.entries, archive.read, context)
  }
  throw new HelpfulRefusal('There is an archive in the archive. Please unpack it, and choose the file in it.')
}
