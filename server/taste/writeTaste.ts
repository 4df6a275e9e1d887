import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { tryLock } from '../db/advisoryLocks.ts'
import type { Database, Queryable, Transaction } from '../db/connection.ts'
import { DIMENSIONS, forEachTaste, hasNoTraits, type Model } from './factors.ts'
import { type HeardRatings, indexOfId } from './heardRatings.ts'

/** Tastes written by one transaction. Ratings of these listeners wait for it, a few milliseconds. */
const LISTENERS_PER_BATCH = 200

const COPY_CHUNK_BYTES = 64 * 1024

/** Reads the active traits into `model`. False when there are none. */
export async function readTraits(
  tx: Transaction,
  { traits }: Model,
  { songs }: HeardRatings,
): Promise<boolean> {
  const [{ run } = { run: null }] = await tx<{ run: number | null }[]>`
    select max(run) as run from taste_runs where outcome = 'in place'`
  if (run === null) return false
  const lines = createInterface({
    input: Readable.from(
      tx.copyOut(`copy (select song_id, t1, t2, t3, t4 from song_traits where run = ${run}) to stdout`),
    ),
  })
  for await (const line of lines) {
    const [songId = 0, ...numbers] = line.split('\t').map(Number)
    const place = indexOfId(songs.ids, songId)
    if (place >= 0) traits.set(numbers, place * DIMENSIONS)
  }
  return true
}

/**
 * Activates a run: writes its traits, then the listeners' tastes in batches. Meanwhile each taste is used with the
 * traits of its own run. Earlier runs are deleted last.
 */
export async function activateRun(
  db: Database,
  run: number,
  model: Model,
  heard: HeardRatings,
): Promise<void> {
  await withLearnerLock(db, (tx) =>
    tx.copyIn(
      'copy song_traits (song_id, run, share, t1, t2, t3, t4) from stdin',
      traitLines(run, model, heard),
    ),
  )
  for (let first = 0; first < heard.listeners.length; first += LISTENERS_PER_BATCH) {
    const [ids, leniences, t1, t2, t3, t4] = tastesOf(model, heard, first)
    await withLearnerLock(db, async (tx) => {
      // Use the key even before the grown table is analyzed.
      await tx`set local enable_seqscan = off`
      await tx`
        update listener_stats s set taste_run = ${run}, lenience = learned.lenience,
          t1 = learned.t1, t2 = learned.t2, t3 = learned.t3, t4 = learned.t4
        from unnest(${ids}::bigint[], ${leniences}::real[], ${t1}::real[], ${t2}::real[], ${t3}::real[], ${t4}::real[])
          as learned (user_id, lenience, t1, t2, t3, t4)
        where s.user_id = learned.user_id`
    })
  }
  await withLearnerLock(db, async (tx) => {
    await tx`
      update listener_stats set taste_run = null, lenience = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0
      where taste_run <> ${run}`
    await tx`delete from song_traits where run <> ${run}`
  })
}

function withLearnerLock(db: Database, write: (tx: Transaction) => PromiseLike<unknown>): Promise<void> {
  return db.begin(async (tx) => {
    await requireLearnerLock(tx)
    await tx`set local statement_timeout = 0`
    // A crash loses only what is learned again, so ratings need not wait for this flush.
    await tx`set local synchronous_commit = off`
    await write(tx)
  })
}

function* traitLines(run: number, { shares, traits }: Model, { songs }: HeardRatings): Generator<Buffer> {
  let text = ''
  for (let song = 0; song < songs.ids.length; song++) {
    const from = song * DIMENSIONS
    if (hasNoTraits(traits, from)) continue
    text += `${songs.ids[song]}\t${run}\t${shares[song]?.toFixed(5)}`
    for (let n = 0; n < DIMENSIONS; n++) text += `\t${traits[from + n]?.toFixed(5)}`
    text += '\n'
    if (text.length < COPY_CHUNK_BYTES) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

type TasteBatch = [ids: string[], leniences: number[], t1: number[], t2: number[], t3: number[], t4: number[]]

/** The tastes of a batch of listeners, from all their ratings including held-out ones. */
function tastesOf(model: Model, heard: HeardRatings, first: number): TasteBatch {
  const batch: TasteBatch = [[], [], [], [], [], []]
  forEachTaste(
    model,
    heard,
    (_, __, [t1, t2, t3, t4], lenience, listener) => {
      const row = [lenience, t1, t2, t3, t4] as number[]
      batch[0].push(String(heard.listeners[listener]))
      for (const [n, value] of row.entries()) (batch[n + 1] as number[]).push(value)
    },
    { excluded: 0, first, last: first + LISTENERS_PER_BATCH },
  )
  return batch
}

/** @throws Error when the lock was lost with the connection, and another process has taken it. */
export async function requireLearnerLock(db: Queryable): Promise<void> {
  if (!(await tryLock(db, 'learner'))) throw new Error('Another process is learning.')
}
