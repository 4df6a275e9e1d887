import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import type { Entry } from 'yauzl'
import { BadInput } from '../inputErrors.ts'
import { decompress, peek } from '../songFiles/openRows.ts'
import { guessEncoding, toPlainText } from '../songFiles/toPlainText.ts'
import { type ImportItem, type ReadContext, UnknownColumns, UnknownContent } from './importItems.ts'
import { readJsonFile } from './readJsonFile.ts'
import { readTextFile } from './readTable.ts'
import { isWorkbook, readWorkbook } from './readWorkbook.ts'
import { readXmlFile } from './readXml.ts'
import { limitUnpacked, openArchive } from './unpack.ts'

export {
  type ImportedCollection,
  type ImportedSong,
  type ImportItem,
  type LeftOutReason,
  UnknownColumns,
  type Verdict,
} from './importItems.ts'

export interface ImportOptions {
  /** Stops reading with an error. */
  signal?: AbortSignal | undefined
  /** The columns of a table, such as `title=Track,artist=Band`. */
  columns?: string | undefined
}

export interface ImportReading extends AsyncIterable<ImportItem> {
  /** What was recognised so far, for people: 'Spotify, extended history'. */
  sources(): string[]
  progress(): Progress
}

interface Progress {
  bytes: number
  size: number
}

/**
 * Reads songs and verdicts from a file of another service, found by its content, zip or bare, streamed.
 * @throws BadInput while it is read, with a sentence for the listener; UnknownColumns for a table.
 */
export async function readImport(
  file: string,
  { signal, columns = '' }: ImportOptions = {},
): Promise<ImportReading> {
  const { size } = await stat(file)
  const sources = new Set<string>()
  const progress = { bytes: 0, size }
  const context: ReadContext = { columns, now: new Date(), found: (source) => sources.add(source) }
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* readFile(file, progress, context, signal)
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      }
    },
    sources: () => [...sources],
    progress: () => ({ ...progress }),
  }
}

async function* readFile(
  file: string,
  progress: Progress,
  context: ReadContext,
  signal?: AbortSignal,
): AsyncGenerator<ImportItem> {
  const source = createReadStream(file, { highWaterMark: 1 << 18 })
  if (signal) addAbortSignal(signal, source)
  const [beginning, chunks] = await peek(source)
  if (beginning.length === 0) throw new BadInput('The file is empty.')
  if (isZip(beginning)) {
    source.destroy()
    yield* readArchive(file, progress, context, signal)
  } else {
    const counted = countBytes(chunks, (bytes) => {
      progress.bytes += bytes
    })
    yield* readContent(limitUnpacked(await decompress(counted), progress.size), context)
  }
  progress.bytes = progress.size
}

const isZip = (bytes: Buffer) => ['504b0304', '504b0506'].includes(bytes.toString('hex', 0, 4))

async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}

async function* readArchive(
  file: string,
  progress: Progress,
  context: ReadContext,
  signal?: AbortSignal,
): AsyncGenerator<ImportItem> {
  const archive = await openArchive(file, signal)
  const read = (entry: Entry) => {
    const share = entry.compressedSize / Math.max(1, entry.uncompressedSize)
    return countBytes(archive.read(entry), (bytes) => {
      progress.bytes = Math.min(progress.size, progress.bytes + Math.round(bytes * share))
    })
  }
  try {
    if (isWorkbook(archive.entries)) yield* readWorkbook(archive.entries, read, context)
    else yield* readEntries(archive.entries.filter(mayHaveSongs), read, context)
  } finally {
    archive.close()
  }
}

/** Text that a service may give; also pictures, videos and the shadows of files that a Mac adds. */
const mayHaveSongs = ({ fileName }: Entry) =>
  !/(^|\/)(__MACOSX\/|\.)/.test(fileName) &&
  /(^|\/)[^./]+$|\.(json|jsonl|ndjson|csv|tsv|txt|xml|xspf|jspf|m3u8?|log|html?|zip|xlsx)$/i.test(fileName)

/** Archives also have files about other things, which are skipped. */
async function* readEntries(
  entries: Entry[],
  read: (entry: Entry) => AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  let refusal = new UnknownContent('The archive has no file of songs in a form that is known here.')
  let isRead = false
  for (const entry of entries) {
    try {
      for await (const item of readContent(read(entry), context)) {
        isRead = true
        yield item
      }
    } catch (error) {
      if (!(error instanceof UnknownContent)) throw error
      if (error instanceof HelpfulRefusal || error instanceof UnknownColumns) refusal = error
    }
  }
  if (!isRead) throw refusal
}

/** It says what the listener can do, also when an archive has other files. */
class HelpfulRefusal extends UnknownContent {}

/** One file that is not packed. */
async function* readContent(
  unpacked: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  const [beginning, bytes] = await peek(unpacked)
  if (isZip(beginning))
    throw new HelpfulRefusal(
      'There is an archive in the archive. Please unpack it, and choose the file in it.',
    )
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
