import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BadCall, BadInput } from '../fault.ts'
import { type FindColumn, readMapping } from './columns.ts'
import type { Read, Rows } from './read.ts'
import { readDelimited } from './readDelimited.ts'
import { readJsonItems, readJsonLines } from './readJson.ts'

export interface ReadOptions {
  /** csv, tsv, json or jsonl; detected from the file's name or content by default. */
  format?: string
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
  { format, columns = '', signal }: ReadOptions = {},
): Promise<Rows> {
  const counter = { bytes: 0 }
  const size = file === '-' ? null : await sizeOf(file)
  const source: Readable = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
  if (signal) addAbortSignal(signal, source)
  const unpacked = await unpack(source, counter)
  const [beginning, chunks] = await peek(unpacked)
  const chosen = chooseFormat(file, beginning, format)
  const unused = new Set<string>()
  return {
    [Symbol.asyncIterator]: () => read(chunks, chosen, readMapping(columns), unused)[Symbol.asyncIterator](),
    progress: () => ({ bytes: counter.bytes, size }),
    unused: () => [...unused],
    unit: chosen.kind === 'items' ? 'item' : 'line',
  }
}

function read(
  chunks: AsyncIterable<Buffer>,
  format: ReturnType<typeof chooseFormat>,
  find: FindColumn,
  unused: Set<string>,
): AsyncIterable<Read> {
  if (format.kind === 'delimited') return readDelimited(chunks, format, find, unused)
  if (format.kind === 'items') return readJsonItems(chunks, format.path, find, unused)
  return readJsonLines(chunks, find, unused)
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new BadInput(`There is no file '${file}'.`)
  if (found.isDirectory()) throw new BadInput(`'${file}' is a folder.`)
  return found.size
}

/** Detects gzip by its first two bytes. */
async function unpack(source: Readable, counter: { bytes: number }): Promise<AsyncIterable<Buffer>> {
  const [beginning, chunks] = await peek(count(source, counter))
  if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) return chunks
  // Errors appear where the rows are read.
  return pipeline(Readable.from(chunks), createGunzip({ chunkSize: 1 << 18 }), () => {})
}

async function* count(source: AsyncIterable<Buffer>, counter: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    counter.bytes += chunk.length
    yield chunk
  }
}

/** The first bytes, and the whole stream from its first byte. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const beginning = first.done ? Buffer.alloc(0) : first.value
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield beginning
      for (;;) {
        const next = await iterator.next()
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return [beginning, all()]
}

type Format =
  | { kind: 'delimited'; delimiter: string; isQuoted: boolean }
  | { kind: 'items'; path: string }
  | { kind: 'lines' }

/**
 * The format of a file: as given, else by its name, else by its first bytes. A table's separator is the most
 * frequent one in its first line. Tab-separated tables have no quotes.
 * @throws BadInput for an unknown format, an empty file, and UTF-16.
 */
function chooseFormat(file: string, beginning: Buffer, given?: string): Format {
  if (beginning.length === 0) throw new BadInput('The file is empty.')
  if (beginning.length > 1 && [0xfeff, 0xfffe].includes(beginning.readUInt16BE(0))) {
    throw new BadInput('The file is UTF-16. Save it as UTF-8.')
  }
  const text = beginning
    .subarray(0, 4096)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const name = given ?? /\.(csv|tsv|tab|txt|json|jsonl|ndjson)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  switch (name) {
    case 'tsv':
    case 'tab':
      return { kind: 'delimited', delimiter: '\t', isQuoted: false }
    case 'csv':
      return { kind: 'delimited', delimiter: separatorOf(text, [',', ';', '\t']), isQuoted: true }
    case 'jsonl':
    case 'ndjson':
      return { kind: 'lines' }
    case 'json':
      return jsonOf(text)
    case undefined:
    case 'txt':
      if (/^[[{]/.test(text)) return jsonOf(text)
      return separatorOf(text, ['\t', ',', ';']) === '\t'
        ? chooseFormat(file, beginning, 'tsv')
        : chooseFormat(file, beginning, 'csv')
    default:
      throw new BadCall(`--format must be csv, tsv, json or jsonl, not '${name}'.`)
  }
}

/** `[…]`, `{"songs": […]}`, or one object per line. */
function jsonOf(text: string): Format {
  if (text.startsWith('[')) return { kind: 'items', path: '$.*' }
  return /^\{\s*"songs"\s*:\s*\[/.test(text) ? { kind: 'items', path: '$.songs.*' } : { kind: 'lines' }
}

/** The first of `separators` wins a tie. */
function separatorOf(text: string, separators: string[]): string {
  const header = text.split(/\r?\n|\r/, 1)[0] ?? ''
  const times = (separator: string) => header.split(separator).length
  return separators.reduce((best, one) => (times(one) > times(best) ? one : best))
}
