import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BadInput, UsageError } from '../inputErrors.ts'
import { type FindColumn, readMapping } from './columns.ts'
import { MAX_ROW_BYTES, type ReadRow, type RowStream } from './read.ts'
import { readDelimited, SEPARATOR_LINE } from './readDelimited.ts'
import { isObject, parseJson, readJsonItems, readJsonLines, SONG_LISTS } from './readJson.ts'
import { toPlainText } from './toPlainText.ts'

export interface ReadOptions {
  /** csv, tsv, json or jsonl; detected from the file's name or content by default. */
  format?: string
  /** Such as windows-1252; UTF-8 or UTF-16 by default. */
  encoding?: string
  /** `--columns`, such as `title=Track,artist=Band`. */
  columns?: string
  /** Stops reading with an error, also while standard input is idle. */
  signal?: AbortSignal
}

/**
 * Opens a file of songs: CSV, TSV, JSON or JSON lines, optionally gzipped. `-` is standard input.
 * @throws BadInput when the file does not exist or cannot contain songs.
 */
export async function openRows(
  file: string,
  { format, encoding, columns = '', signal }: ReadOptions = {},
): Promise<RowStream> {
  const counter = { bytes: 0 }
  const size = file === '-' ? null : await sizeOf(file)
  const source: Readable = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
  if (signal) addAbortSignal(signal, source)
  const [bytes, unpacked] = await peek(await decompress(countBytes(source, counter)))
  if (bytes.length === 0) throw new BadInput('The file is empty.')
  const [beginning, chunks] = await peek(toPlainText(unpacked, bytes, encoding))
  const chosen = chooseFormat(file, beginning.toString().trimStart(), format)
  const unused = new Set<string>()
  return {
    [Symbol.asyncIterator]: () =>
      readRows(chunks, chosen, readMapping(columns), unused)[Symbol.asyncIterator](),
    progress: () => ({ bytes: counter.bytes, size }),
    unused: () => [...unused],
    unit: chosen.kind === 'items' ? 'item' : 'line',
  }
}

function readRows(
  chunks: AsyncIterable<Buffer>,
  format: ReturnType<typeof chooseFormat>,
  find: FindColumn,
  unused: Set<string>,
): AsyncIterable<ReadRow> {
  if (format.kind === 'delimited') return readDelimited(chunks, format, find, unused)
  if (format.kind === 'items') return readJsonItems(chunks, format.isDocument, find, unused)
  return readJsonLines(chunks, find, unused)
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new BadInput(`There is no file '${file}'.`)
  if (found.isDirectory()) throw new BadInput(`'${file}' is a folder.`)
  return found.size
}

/** Detects gzip by its first two bytes. */
export async function decompress(source: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const [beginning, chunks] = await peek(source)
  if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) return chunks
  // Errors appear where the rows are read.
  return pipeline(Readable.from(chunks), createGunzip({ chunkSize: 1 << 18 }), () => {})
}

/** Counts what passes; of an unpacked file, the `share` that it takes in its archive. */
export async function* countBytes(
  source: AsyncIterable<Buffer>,
  counter: { bytes: number },
  share = 1,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    counter.bytes += Math.round(chunk.length * share)
    yield chunk
  }
}

/** Enough for a row. */
const PEEK_BYTES = MAX_ROW_BYTES

/** The first bytes, and the whole stream. Errors are thrown by the stream. */
export async function peek(chunks: AsyncIterable<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let failure: { error: unknown } | null = null
  try {
    for (let size = 0; size < PEEK_BYTES; ) {
      const next = await iterator.next()
      if (next.done) break
      first.push(next.value)
      size += next.value.length
    }
  } catch (error) {
    failure = { error }
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* first
      if (failure) throw failure.error
      for (;;) {
        const next = await iterator.next()
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return [Buffer.concat(first), all()]
}

type Format =
  | { kind: 'delimited'; delimiter: string; isQuoted: boolean }
  | { kind: 'items'; isDocument: boolean }
  | { kind: 'lines' }

/**
 * Chooses the format: as requested, else by name, else by content. A table's separator is the one that its first line
 * names, else the most frequent one there. Tab-separated tables have no quotes.
 * @throws BadInput for an unknown format.
 */
function chooseFormat(file: string, text: string, requested?: string): Format {
  const name = requested ?? /\.(csv|tsv|tab|txt|json|jsonl|ndjson)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  switch (name) {
    case 'tsv':
    case 'tab':
      return { kind: 'delimited', delimiter: '\t', isQuoted: false }
    case 'csv':
      return { kind: 'delimited', delimiter: detectSeparator(text, [',', ';', '\t', '|']), isQuoted: true }
    case 'jsonl':
    case 'ndjson':
      return { kind: 'lines' }
    case 'json':
      return isJsonLines(text) ? { kind: 'lines' } : { kind: 'items', isDocument: text.startsWith('{') }
    case undefined:
    case 'txt':
      if (/^[[{]/.test(text)) return chooseFormat(file, text, 'json')
      return chooseFormat(file, text, detectSeparator(text, ['\t', ',', ';', '|']) === '\t' ? 'tsv' : 'csv')
    default:
      throw new UsageError(`--format must be csv, tsv, json or jsonl, not '${name}'.`)
  }
}

/** One object per line, each a song. A document on one line has a list of songs instead. */
function isJsonLines(text: string): boolean {
  const first = parseJson(text.split('\n', 1)[0] ?? '')
  return isObject(first) && !SONG_LISTS.some((list) => Array.isArray(first[list]))
}

/** The first of `separators` wins a tie. */
export function detectSeparator(text: string, separators: string[]): string {
  const header = text.split('\n', 1)[0] ?? ''
  const named = SEPARATOR_LINE.exec(header)?.[1]
  if (named) return named
  const times = (separator: string) => header.split(separator).length
  return separators.reduce((best, one) => (times(one) > times(best) ? one : best))
}
