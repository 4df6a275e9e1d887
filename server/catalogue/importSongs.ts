import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { Database } from '../db/connection.ts'
import { CATALOGUE_LOCK } from '../discovery/loadCatalogue.ts'
import { beginRun, type PlacedRow } from './batchTables.ts'
import type { Fault } from './fault.ts'
import { MicrogenreNames } from './microgenreNames.ts'
import type { Read } from './reading/read.ts'
import { UNKNOWN_MICROGENRE } from './refusals.ts'
import { readSongRow, type SongRow } from './songRow.ts'
import { makeReady, type ReadyBatch, writeBatch } from './writeBatch.ts'

export interface HowToImport {
  /** The file's words go before the database's; else a known song only gets what it lacks. */
  update?: boolean
  /** Microgenres that nobody knows are made, by name only. */
  createMicrogenres?: boolean
  /** For rows that name none. */
  microgenre?: string
  /** Ends the run after the batch that is under way. */
  signal?: AbortSignal
  /** After each batch. */
  onProgress?: (counts: ImportCounts) => void
  /** The rows of a batch that are not taken, in their order. */
  onRefused?: (faults: Fault[]) => void | Promise<void>
}

export interface ImportCounts {
  /** Rows read and settled. */
  rows: number
  added: number
  changed: number
  unchanged: number
  /** Known songs of which the file says otherwise than the database, which was kept. */
  differing: number
  refused: number
  newMicrogenres: number
  wasInterrupted: boolean
}

/** Rows to a transaction: few enough for memory and for the locks, enough that a round trip costs little. */
const BATCH = 5000

/** Rows that are read at a stretch: the answers of the database are waiting meanwhile. */
const STRETCH = 250

/** More new microgenres than that are a column that was taken for another. */
const MOST_NEW_MICROGENRES = 1000

/**
 * Brings songs in, batch by batch, each whole or not at all: a run that ends early has taken everything up
 * to a batch's end, and the next run finds that and goes on. While the database merges one batch the next is read.
 * @param db a pool of one connection, for a run keeps what it has seen in a temporary table.
 */
export async function importSongs(
  db: Database,
  rows: AsyncIterable<Read>,
  how: HowToImport = {},
): Promise<ImportCounts> {
  const counts: ImportCounts = {
    rows: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    differing: 0,
    refused: 0,
    newMicrogenres: 0,
    wasInterrupted: false,
  }
  await beginRun(db)
  const run = { db, how, counts, names: await MicrogenreNames.read(db) }
  let batch = new Batch()
  let writing = Promise.resolve()
  const flush = async () => {
    const full = batch
    batch = new Batch()
    const placed = place(run, full)
    await writing
    // Reading on at once would only keep the batch from the database, which waits for it.
    await new Promise<void>((onSent) => {
      writing = settle(run, full, placed, onSent)
      // A failure is told when it is awaited, before the next batch.
      writing.then(onSent, onSent)
    })
    await letOthersWork()
  }
  try {
    for await (const row of rows) {
      if (how.signal?.aborted) break
      batch.take(row, how.microgenre)
      if (batch.rows === BATCH) await flush()
      else if (batch.rows % STRETCH === 0) await letOthersWork()
    }
  } catch (error) {
    // A file that is given up in the middle cannot be read on, which is no fault of its own.
    if (!how.signal?.aborted) throw error
  } finally {
    counts.wasInterrupted = how.signal?.aborted ?? false
    // A file that cannot be read on has given good rows before.
    if (!counts.wasInterrupted) await flush()
    await writing
  }
  return counts
}

/** Rows as they were read, sorted into songs and those that cannot be. */
class Batch {
  rows = 0
  readonly songs: SongRow[] = []
  readonly faults: Fault[] = []

  take(row: Read, microgenre: string | undefined): void {
    this.rows += 1
    const song =
      'fault' in row
        ? { line: row.line, field: null, reason: row.fault, told: null }
        : readSongRow(row.line, { microgenre, ...row.cells })
    if ('reason' in song) this.faults.push(song)
    else this.songs.push(song)
  }
}

interface Run {
  db: Database
  how: HowToImport
  counts: ImportCounts
  names: MicrogenreNames
}

interface Placed {
  ready: ReadyBatch
  /** Songs whose microgenre nobody knows. */
  homeless: SongRow[]
}

function place({ names }: Run, { songs }: Batch): Placed {
  const rows: PlacedRow[] = []
  const homeless: SongRow[] = []
  for (const song of songs) {
    const microgenreId = song.microgenre === null ? null : names.find(song.microgenre)
    if (microgenreId === undefined) homeless.push(song)
    else rows.push({ ...song, microgenreId })
  }
  return { ready: makeReady(rows), homeless }
}

/**
 * @param placed by the microgenres that were known when it was worked out.
 * @param onSent is called when the database has everything that it needs.
 */
async function settle(run: Run, batch: Batch, placed: Placed, onSent: () => void): Promise<void> {
  const { db, how, counts, names } = run
  const { rows, faults } = batch
  const result = await db.begin(async (tx) => {
    await tx`set local statement_timeout = '10min'`
    await tx`select pg_advisory_xact_lock(${CATALOGUE_LOCK})`
    let { ready, homeless } = placed
    if (how.createMicrogenres && homeless.length > 0) {
      const wanted = homeless.flatMap(({ microgenre }) => microgenre ?? [])
      const most = MOST_NEW_MICROGENRES - counts.newMicrogenres
      counts.newMicrogenres += await names.create(tx, wanted, most)
      // The batch before may have made some, too.
      ;({ ready, homeless } = place(run, batch))
    }
    for (const { line, microgenre } of homeless) {
      faults.push({ line, field: 'microgenre', reason: UNKNOWN_MICROGENRE, told: microgenre })
    }
    return writeBatch(tx, ready, { update: how.update ?? false, onSent })
  })
  faults.push(...result.refused)
  counts.rows += rows
  counts.added += result.added
  counts.changed += result.changed
  counts.unchanged += result.unchanged
  counts.differing += result.differing
  counts.refused += faults.length
  faults.sort((a, b) => a.line - b.line)
  await how.onRefused?.(faults)
  how.onProgress?.(counts)
}
