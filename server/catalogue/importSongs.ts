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
  /** The file overrides the database; otherwise known songs only get missing values. */
  update?: boolean
  /** Creates unknown microgenres by name. */
  createMicrogenres?: boolean
  /** For rows without one. */
  microgenre?: string
  /** Stops the run after the current batch. */
  signal?: AbortSignal
  /** Called after each batch. */
  onProgress?: (counts: ImportCounts) => void
  /** Called with the refused rows of a batch, in order. */
  onRefused?: (faults: Fault[]) => void | Promise<void>
}

export interface ImportCounts {
  /** Rows processed. */
  rows: number
  added: number
  changed: number
  unchanged: number
  /** Known songs whose values differ from the file and were kept. */
  differing: number
  refused: number
  newMicrogenres: number
  wasInterrupted: boolean
}

/** Rows per transaction: few enough for memory and locks, enough to make round trips cheap. */
const BATCH = 5000

/** Rows to read before yielding to the event loop, which handles the database's answers. */
const STRETCH = 250

/** More new microgenres than this mean that the wrong column was mapped. */
const MOST_NEW_MICROGENRES = 1000

/**
 * Imports songs in batches, each all or nothing. An interrupted run has imported every finished batch, and the next
 * run continues. The next batch is read while the database merges the current one.
 * @param db a pool of one connection, because a run keeps state in temporary tables.
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
    // Sending comes first: reading on now would make the database wait.
    await new Promise<void>((onSent) => {
      writing = settle(run, full, placed, onSent)
      // A failure is thrown when this is awaited, before the next batch.
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
    // Stopping in the middle of a file makes the reader fail; that is not the file's fault.
    if (!how.signal?.aborted) throw error
  } finally {
    counts.wasInterrupted = how.signal?.aborted ?? false
    // The rows before the unreadable part are good.
    if (!counts.wasInterrupted) await flush()
    await writing
  }
  return counts
}

/** Rows of a batch, separated into songs and faults. */
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
  /** Songs with an unknown microgenre. */
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
 * @param placed computed with the microgenres known at that time.
 * @param onSent called when all statements are sent.
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
      // The previous batch may have created some.
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
