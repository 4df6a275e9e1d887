import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { lock } from '../db/advisoryLocks.ts'
import type { Database } from '../db/connection.ts'
import { isAtHost } from '../integrations/archive.ts'
import type { ReadRow, RowFault } from '../songFiles/read.ts'
import { createRunTables, type ResolvedRow } from './batchTables.ts'
import { MicrogenreNames } from './microgenreNames.ts'
import { readSongRow, type SongRow } from './songRow.ts'
import { type PreparedBatch, prepareBatch, writeBatch } from './writeBatch.ts'

export interface ImportOptions {
  /** The file overrides the database; by default existing songs only get missing values. */
  update?: boolean
  /** Creates unknown microgenres by name. */
  createMicrogenres?: boolean
  /** Where whole recordings may be; nowhere by default. */
  audioHosts?: readonly string[]
  /** For rows without one. */
  microgenre?: string
  /** Stops the run after the current batch. */
  signal?: AbortSignal
  /** Called after each batch. */
  onProgress?: (counts: ImportCounts) => void
  /** Called with the rejected rows of a batch, in order. */
  onRejected?: (faults: RowFault[]) => void | Promise<void>
}

const noCounts = () => ({
  rows: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  /** Existing songs that kept values which differ from the file. */
  differing: 0,
  rejected: 0,
  newMicrogenres: 0,
  wasInterrupted: false,
})

export type ImportCounts = ReturnType<typeof noCounts>

/** Rows per transaction: a compromise between locks and round trips. */
const BATCH_SIZE = 5000

/** Rows between two yields to the event loop, which handles the database's answers. */
const YIELD_INTERVAL = 250

/** More new microgenres than this mean that the wrong column was mapped. */
const MAX_NEW_MICROGENRES = 1000

/** The reason that rejects a row whose microgenre is unknown. */
export const UNKNOWN_MICROGENRE = 'is not in the catalogue'

/**
 * Imports songs in batches, one transaction each. An interrupted run keeps its finished batches, and the next run
 * continues. The next batch is read while the database merges the current one.
 * @param db a pool of one connection, because a run keeps state in temporary tables.
 */
export async function importSongs(
  db: Database,
  rows: AsyncIterable<ReadRow>,
  options: ImportOptions = {},
): Promise<ImportCounts> {
  const counts = noCounts()
  await createRunTables(db)
  const run = { db, options, counts, names: await MicrogenreNames.read(db) }
  let batch = new Batch()
  let writing = Promise.resolve()
  const flush = async () => {
    const current = batch
    batch = new Batch()
    const resolved = resolveMicrogenres(run, current)
    await writing
    // Send before reading on, so that the database does not wait.
    await new Promise<void>((onSent) => {
      writing = importBatch(run, current, resolved, onSent)
      // A failure is thrown when this is awaited, before the next batch.
      writing.then(onSent, onSent)
    })
    await yieldToEventLoop()
  }
  try {
    for await (const row of rows) {
      if (options.signal?.aborted) break
      batch.add(row, options)
      if (batch.rows === BATCH_SIZE) await flush()
      else if (batch.rows % YIELD_INTERVAL === 0) await yieldToEventLoop()
    }
  } catch (error) {
    // An abort makes the reader fail, which is not the file's fault.
    if (!options.signal?.aborted) throw error
  } finally {
    counts.wasInterrupted = options.signal?.aborted ?? false
    // The rows before the unreadable part are good.
    if (!counts.wasInterrupted) await flush()
    await writing
  }
  return counts
}

/** The rows of a batch, as songs or faults. */
class Batch {
  rows = 0
  readonly songs: SongRow[] = []
  readonly faults: RowFault[] = []

  add(row: ReadRow, { microgenre, audioHosts = [] }: ImportOptions): void {
    this.rows += 1
    const song =
      'fault' in row
        ? { line: row.line, field: null, reason: row.fault, value: null }
        : readSongRow(row.line, { microgenre, ...row.cells })
    if ('reason' in song) this.faults.push(song)
    else if (song.audio && !isAtHost(song.audio.url, audioHosts)) {
      const reason = 'is not at one of AUDIO_HOSTS'
      this.faults.push({ line: row.line, field: 'audio_url', reason, value: song.audio.url })
    } else this.songs.push(song)
  }
}

interface Run {
  db: Database
  options: ImportOptions
  counts: ImportCounts
  names: MicrogenreNames
}

interface ResolvedBatch {
  prepared: PreparedBatch
  /** Songs with an unknown microgenre. */
  unresolved: SongRow[]
}

function resolveMicrogenres({ names }: Run, { songs }: Batch): ResolvedBatch {
  const rows: ResolvedRow[] = []
  const unresolved: SongRow[] = []
  for (const song of songs) {
    const microgenreId = song.microgenre === null ? null : names.find(song.microgenre)
    if (microgenreId === undefined) unresolved.push(song)
    else rows.push({ ...song, microgenreId })
  }
  return { prepared: prepareBatch(rows), unresolved }
}

/**
 * @param resolved computed with the microgenres known at that time.
 * @param onSent called when all statements are sent.
 */
async function importBatch(
  run: Run,
  batch: Batch,
  resolved: ResolvedBatch,
  onSent: () => void,
): Promise<void> {
  const { db, options, counts, names } = run
  const { rows, faults } = batch
  const result = await db.begin(async (tx) => {
    await tx`set local statement_timeout = '10min'`
    await lock(tx, 'catalogue')
    let { prepared, unresolved } = resolved
    if (options.createMicrogenres && unresolved.length > 0) {
      const wanted = unresolved.flatMap(({ microgenre }) => microgenre ?? [])
      const limit = MAX_NEW_MICROGENRES - counts.newMicrogenres
      counts.newMicrogenres += await names.create(tx, wanted, limit)
      // The previous batch may have created some.
      ;({ prepared, unresolved } = resolveMicrogenres(run, batch))
    }
    for (const { line, microgenre } of unresolved) {
      faults.push({ line, field: 'microgenre', reason: UNKNOWN_MICROGENRE, value: microgenre })
    }
    return writeBatch(tx, prepared, { update: options.update ?? false, onSent })
  })
  faults.push(...result.rejected)
  counts.rows += rows
  counts.added += result.added
  counts.changed += result.changed
  counts.unchanged += result.unchanged
  counts.differing += result.differing
  counts.rejected += faults.length
  faults.sort((a, b) => a.line - b.line)
  await options.onRejected?.(faults)
  options.onProgress?.(counts)
}
