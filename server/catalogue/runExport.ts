import { createWriteStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Queryable } from '../db/connection.ts'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { type ExportedSong, exportSongs } from './exportSongs.ts'
import { BadInput } from './fault.ts'
import { writeMicrogenreTable } from './microgenreTable.ts'
import { openCatalogue } from './openCatalogue.ts'
import { startProgressLine } from './progressLine.ts'
import { type ExportFormat, writeSongs } from './writeSongs.ts'

/** `export FILE`. Writes the whole file or nothing. Messages go to standard error. */
export async function runExport(commandLine: CommandLine): Promise<number> {
  const { env, files, options, folder, signal, printError } = commandLine
  const [file] = files
  if (!file || files.length > 1) throw new BadInput(USAGE)
  const format = formatOf(file, options.format)
  const { db, close } = await openCatalogue(env)
  try {
    // One snapshot, so songs added meanwhile do not appear in part.
    const songs = await db.begin('isolation level repeatable read read only', async (tx) => {
      await tx`set local statement_timeout = '10min'`
      if (options.microgenres) {
        await writeFile(resolve(folder, options.microgenres), await writeMicrogenreTable(tx))
      }
      return exportTo(file === '-' ? null : resolve(folder, file), tx, format, signal)
    })
    printError(`Wrote ${songs.toLocaleString('en')} songs.`)
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    printError('Stopped. No file was written.')
    return INTERRUPTED
  } finally {
    await close()
  }
}

async function exportTo(
  file: string | null,
  tx: Queryable,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<number> {
  const written = { songs: 0 }
  const text = Readable.from(writeSongs(counted(tx, written), format))
  if (file === null) {
    await pipeline(text, process.stdout, { signal, end: false })
    return written.songs
  }
  const part = `${file}.part`
  try {
    const packed = file.endsWith('.gz') ? createGzip() : new PassThrough()
    await pipeline(text, packed, createWriteStream(part) as Writable, { signal })
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
  return written.songs
}

async function* counted(tx: Queryable, written: { songs: number }): AsyncGenerator<ExportedSong[]> {
  const [row] = await tx<{ songs: number }[]>`select count(*)::int as songs from songs`
  const line = startProgressLine()
  for await (const page of exportSongs(tx)) {
    yield page
    written.songs += page.length
    line.show(row ? written.songs / row.songs : null, `${written.songs.toLocaleString('en')} written`)
  }
  line.end()
}

function formatOf(file: string, given: string | undefined): ExportFormat {
  const name = given ?? /\.(csv|tsv|json|jsonl)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  if (name === 'csv' || name === 'tsv' || name === 'json' || name === 'jsonl') return name
  throw new BadInput(
    `The format of '${file}' is unknown. Use a name that ends with .csv, .tsv, .json or .jsonl, or set --format.`,
  )
}
