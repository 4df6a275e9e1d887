import { createWriteStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { WholeAudio } from '../../contract/shapes.ts'
import type { Queryable } from '../db/connection.ts'
import { UsageError } from '../inputErrors.ts'
import { COLUMNS, type Column } from '../songFiles/columns.ts'
import { type CommandLine, EXIT_INTERRUPTED, formatCount, openCatalogue } from './command.ts'
import { writeMicrogenreTable } from './microgenreTable.ts'
import { startProgressLine } from './progressLine.ts'

/** `export FILE`. Writes the whole file or nothing. Messages go to standard error. */
export async function exportCommand(commandLine: CommandLine): Promise<number> {
  const { env, file, options, folder, signal, printError } = commandLine
  const format = formatOf(file, options.format)
  const { db, close } = await openCatalogue(env)
  try {
    // One snapshot of all songs.
    const songs = await db.begin('isolation level repeatable read read only', async (tx) => {
      await tx`set local statement_timeout = '10min'`
      if (options.microgenres) {
        await writeFile(resolve(folder, options.microgenres), await writeMicrogenreTable(tx))
      }
      return exportTo(file === '-' ? null : resolve(folder, file), tx, format, signal)
    })
    printError(`Wrote ${formatCount(songs)} songs.`)
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    printError('Stopped. No file was written.')
    return EXIT_INTERRUPTED
  } finally {
    await close()
  }
}

async function exportTo(
  file: string | null,
  tx: Queryable,
  format: keyof typeof FORMATS,
  signal: AbortSignal,
): Promise<number> {
  const written = { songs: 0 }
  const text = Readable.from(textOf(withProgress(tx, written), FORMATS[format]))
  if (file === null) {
    await pipeline(text, process.stdout, { signal, end: false })
    return written.songs
  }
  const partFile = `${file}.part`
  try {
    const compressed = file.endsWith('.gz') ? createGzip() : new PassThrough()
    await pipeline(text, compressed, createWriteStream(partFile) as Writable, { signal })
    await rename(partFile, file)
  } finally {
    await rm(partFile, { force: true })
  }
  return written.songs
}

async function* withProgress(tx: Queryable, written: { songs: number }): AsyncGenerator<ExportedSong[]> {
  const [row] = await tx<{ songs: number }[]>`select count(*)::int as songs from songs`
  const line = startProgressLine()
  for await (const page of exportSongs(tx)) {
    yield page
    written.songs += page.length
    line.show(row ? written.songs / row.songs : null, `${formatCount(written.songs)} written`)
  }
  line.end()
}

const PAGE_SIZE = 5000

/**
 * All songs including retired ones, in pages, by microgenre and in the order of their addition, which an import
 * preserves.
 */
async function* exportSongs(tx: Queryable): AsyncGenerator<ExportedSong[]> {
  const microgenres = await tx<{ id: string; key: string }[]>`
    select id, key from microgenres where retired_at is null order by key`
  for (const { id, key } of microgenres) {
    let after = -1
    for (;;) {
      const rows = await tx<Row[]>`
        select seq, key, title, artist, year, youtube_id, spotify_id, deezer_track_id, recording_mbid, isrc,
          release_mbid, duration_ms, album_art, audio, retired_at is not null as retired
        from songs where microgenre_id = ${id} and seq > ${after} order by seq limit ${PAGE_SIZE}`
      if (rows.length === 0) break
      after = rows.at(-1)?.seq ?? after
      yield rows.map((row) => toExported(row, key))
    }
  }
}

interface Row {
  seq: number
  key: string
  title: string
  artist: string
  year: number | null
  youtubeId: string | null
  spotifyId: string | null
  deezerTrackId: string | null
  recordingMbid: string | null
  isrc: string | null
  releaseMbid: string | null
  durationMs: number | null
  albumArt: string | null
  audio: WholeAudio | null
  retired: boolean
}

/** With the column names that `import` reads. */
const toExported = (row: Row, microgenre: string) => ({
  key: row.key,
  microgenre,
  title: row.title,
  artist: row.artist,
  year: row.year,
  youtube_id: row.youtubeId,
  spotify_id: row.spotifyId,
  deezer_id: row.deezerTrackId,
  recording_mbid: row.recordingMbid,
  isrc: row.isrc,
  release_mbid: row.releaseMbid,
  duration_ms: row.durationMs,
  album_art: row.albumArt,
  audio_url: row.audio?.url ?? null,
  licence: row.audio?.licence ?? null,
  attribution: row.audio?.attribution ?? null,
  retired: row.retired,
})

type ExportedSong = ReturnType<typeof toExported>

const EXPORTED_COLUMNS = COLUMNS.filter(
  (column): column is Exclude<Column, 'duration'> => column !== 'duration',
)

interface Format {
  before: string
  row(song: ExportedSong): string
  between: string
  after: string
}

/** The text of a file of songs, in chunks. */
async function* textOf(
  pages: AsyncIterable<ExportedSong[]>,
  { before, row, between, after }: Format,
): AsyncGenerator<string> {
  let gap = before
  for await (const page of pages) {
    yield gap + page.map(row).join(between)
    gap = between
  }
  if (gap === before) yield before
  yield after
}

const joinCells = (song: ExportedSong, separator: string, write: (cell: string) => string) =>
  EXPORTED_COLUMNS.map((column) => write(String(song[column] ?? ''))).join(separator)

const FORMATS = {
  csv: {
    before: `${EXPORTED_COLUMNS.join(',')}\r\n`,
    // RFC 4180.
    row: (song) =>
      joinCells(song, ',', (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)),
    between: '\r\n',
    after: '\r\n',
  },
  tsv: {
    before: `${EXPORTED_COLUMNS.join('\t')}\n`,
    // No quotes, as in the starter catalogue; a tab in a title would add a cell.
    row: (song) => joinCells(song, '\t', (cell) => cell.replace(/[\t\r\n]+/g, ' ')),
    between: '\n',
    after: '\n',
  },
  json: { before: '[\n', row: (song) => JSON.stringify(song), between: ',\n', after: '\n]\n' },
  jsonl: { before: '', row: (song) => JSON.stringify(song), between: '\n', after: '\n' },
} satisfies Record<string, Format>

function formatOf(file: string, requested: string | undefined): keyof typeof FORMATS {
  const name = requested ?? /\.(csv|tsv|json|jsonl)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  if (name === 'csv' || name === 'tsv' || name === 'json' || name === 'jsonl') return name
  throw new UsageError(
    `The format of '${file}' is unknown. Use a name that ends with .csv, .tsv, .json or .jsonl, or set --format.`,
  )
}
