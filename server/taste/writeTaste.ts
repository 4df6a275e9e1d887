import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { tryLock } from '../db/advisoryLocks.ts'
import type { Database, Queryable, Transaction } from '../db/connection.ts'
import { DIMENSIONS, forEachTaste, hasNoTraits, type Model } from './factors.ts'
import { type HeardRatings, indexOfId, readListeners } from './heardRatings.ts'

/** With fewer of them, a taste that began with an import goes on (imports-25). */
const MIN_HEARD_RATINGS = 40

/** Tastes written by one transaction. Ratings of these listeners wait for it, a few milliseconds. */
const LISTENERS_PER_BATCH = 200

const COPY_CHUNK_BYTES = 64 * 1024

/** Reads the active traits into `model`, and returns the run that they began with. Null when there are none. */
export async function readTraits(
  tx: Transaction,
  { traits }: Model,
  { songs }: HeardRatings,
): Promise<number | null> {
  const [{ run } = { run: null }] = await tx<
    { run: number | null }[]
  >`select max(run) as run from song_traits`
  if (run === null) return null
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
  return run
}

/**
 * Replaces the traits, then the tastes of those who have rated since the day of the last run or have none, in batches. The
 * others keep theirs, which go with the new traits, too: a run begins with the traits before it and changes them little.
 */
export async function activateTraits(
  db: Database,
  run: number,
  model: Model,
  songs: HeardRatings['songs'],
): Promise<void> {
  const [last] = await db<{ day: string | null }[]>`
    select (max(started_at) at time zone 'UTC')::date::text as day from taste_runs where outcome = 'in place'`
  const since = last?.day ?? '-infinity'
  await withLearnerLock(db, async (tx) => {
    await tx`delete from song_traits`
    await tx.copyIn(
      'copy song_traits (song_id, run, share, t1, t2, t3, t4) from stdin',
      traitLines(run, model, songs),
    )
  })
  for (let from: string | undefined = '0'; from !== undefined; ) from = await writeTastes(from)

  /** Returns the last listener of the batch; undefined when none is left. */
  async function writeTastes(after: string): Promise<string | undefined> {
    const batch = await db<{ userId: string }[]>`
      select s.user_id from listener_stats s
      left join listener_last_days d on d.user_id = s.user_id and d.user_id > ${after}
      where s.user_id > ${after} and (d.day >= ${since}::date or s.taste_run is distinct from ${run} and s.total_ratings > 0)
      order by s.user_id limit ${LISTENERS_PER_BATCH}`
    if (batch.length === 0) return undefined
    await withLearnerLock(db, async (tx) => {
      // Use the key even before the grown table is analyzed.
      await tx`set local enable_seqscan = off`
      const heard = await readListeners(
        tx,
        songs,
        batch.map(({ userId }) => userId),
      )
      const importers = await tx<{ userId: string }[]>`
        select distinct k.user_id from known_songs k join listener_stats s on s.user_id = k.user_id
        where k.user_id = any(${batch.map(({ userId }) => userId)}::bigint[]) and s.taste_run = ${run}`
      const [ids, leniences, t1, t2, t3, t4] = tastesOf(
        model,
        heard,
        new Set(importers.map(({ userId }) => userId)),
      )
      await tx`
        update listener_stats s set taste_run = ${run}, lenience = learned.lenience,
          t1 = learned.t1, t2 = learned.t2, t3 = learned.t3, t4 = learned.t4
        from unnest(${ids}::bigint[], ${leniences}::real[], ${t1}::real[], ${t2}::real[], ${t3}::real[], ${t4}::real[])
          as learned (user_id, lenience, t1, t2, t3, t4)
        where s.user_id = learned.user_id`
    })
    return batch.at(-1)?.userId
  }
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

function* traitLines(
  run: number,
  { shares, traits }: Model,
  songs: HeardRatings['songs'],
): Generator<Buffer> {
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

/** The listeners' tastes, from all their ratings including held-out ones. */
function tastesOf(model: Model, heard: HeardRatings, importers: ReadonlySet<string>): TasteBatch {
  const batch: TasteBatch = [[], [], [], [], [], []]
  forEachTaste(
    model,
    heard,
    (from, to, [t1, t2, t3, t4], lenience, listener) => {
      if (to - from < MIN_HEARD_RATINGS && importers.has(String(heard.listeners[listener]))) return
      const row = [lenience, t1, t2, t3, t4] as number[]
      batch[0].push(String(heard.listeners[listener]))
      for (const [n, value] of row.entries()) (batch[n + 1] as number[]).push(value)
    },
    { excluded: 0 },
  )
  return batch
}

/** @throws Error when the lock was lost with the connection, and another process has taken it. */
export async function requireLearnerLock(db: Queryable): Promise<void> {
  if (!(await tryLock(db, 'learner'))) throw new Error('Another process is learning.')
}
