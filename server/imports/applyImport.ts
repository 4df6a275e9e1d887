import { setTimeout as wait } from 'node:timers/promises'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { applyImport as applyEndpoint } from '../../contract/imports.ts'
import { awardReached, withdrawUnreached } from '../achievements/reached.ts'
import type { Database, Transaction } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { beginTaste } from '../taste/beginTaste.ts'
import { MAX_PLAYS } from './fileSong.ts'

/** Songs of a transaction, for whose milliseconds their listener's ratings wait. */
const SONGS_PER_BATCH = 200

interface FoundImport {
  id: string
  userId: string
  appliedPlace: number
  achievements: string[]
  beganTaste: boolean
}

/** What the listener said yes to. */
export type ImportChoices = BodyOf<typeof applyEndpoint>

/**
 * Rates songs of the catalogue with what an `applying` import says of them, and stores which ones the listener knows
 * (imports-20, imports-25). Each batch stores how far it came, so a later call goes on where this one was killed or
 * aborted. Returns whether the import is applied.
 */
export const applyImport = (
  db: Database,
  importId: string,
  choices: ImportChoices,
  signal?: AbortSignal,
): Promise<boolean> =>
  inImportBatches(db, importId, 'applying', signal, async (tx, found) => {
    const songs = await readBatch(tx, found)
    await rateSongs(tx, found, songs, choices)
    await storeKnownSongs(tx, found, songs, choices)
    await tx`
      update imports set applied_place = ${songs.at(-1)?.place ?? found.appliedPlace}, updated_at = now()
      where id = ${importId}`
    if (songs.length === SONGS_PER_BATCH) return false
    const achievements = await awardReached(tx, found.userId)
    const beganTaste = await beginTaste(tx, found.userId)
    await tx`
      update imports set status = 'applied', applied_at = now(), achievements = ${achievements}::bigint[],
        began_taste = ${beganTaste}
      where id = ${importId}`
    return true
  })

interface ImportedSong {
  place: number
  songId: string
  verdict: boolean | null
  ratedAt: Date
  plays: number
}

/** The next songs of the catalogue. Nobody's today has the time of a love without date: two days before the import. */
const readBatch = (tx: Transaction, { id, appliedPlace }: FoundImport) =>
  tx<ImportedSong[]>`
    select s.place, s.song_id, s.verdict, s.plays,
      least(s.rated_at, i.created_at - interval '2 days') as rated_at
    from import_songs s join imports i on i.id = s.import_id
    where s.import_id = ${id} and s.place > ${appliedPlace} and s.song_id is not null
      and (s.heap = 'known' or s.heap = 'doubtful' and s.is_same)
    order by s.place limit ${SONGS_PER_BATCH}`

async function rateSongs(
  tx: Transaction,
  { id, userId }: FoundImport,
  songs: readonly ImportedSong[],
  { bangers, busts }: ImportChoices,
): Promise<void> {
  const wanted = songs.filter(({ verdict }) => (verdict ? bangers : verdict === false && busts))
  // Two names of a file may be one song: the first counts.
  const rated = [...new Map(wanted.toReversed().map((song) => [song.songId, song])).values()]
  if (rated.length === 0) return
  await tx`
    select from ${functions}.import_ratings(${userId}, ${id}, ${rated.map(({ songId }) => songId)}::bigint[],
      ${rated.map(({ verdict }) => verdict === true)}::boolean[],
      ${rated.map(({ ratedAt }) => ratedAt)}::timestamptz[])`
}

/** A loved song was played once at least. */
async function storeKnownSongs(
  tx: Transaction,
  { id, userId }: FoundImport,
  songs: readonly ImportedSong[],
  choices: ImportChoices,
): Promise<void> {
  const known = songs
    .map(({ songId, verdict, plays }) => ({
      songId,
      plays: Math.max(choices.plays ? plays : 0, verdict && choices.bangers ? 1 : 0),
    }))
    .filter(({ plays }) => plays > 0)
  if (known.length === 0) return
  await tx`
    insert into known_songs as k (user_id, import_id, song_id, microgenre_id, plays)
    select ${userId}, ${id}, s.id, s.microgenre_id, least(sum(known.plays), ${MAX_PLAYS}::bigint)
    from unnest(${known.map(({ songId }) => songId)}::bigint[], ${known.map(({ plays }) => plays)}::int[])
      as known (song_id, plays)
    join songs s on s.id = known.song_id
    group by s.id
    on conflict (user_id, import_id, song_id) do update set plays = least(k.plays::bigint + excluded.plays, ${MAX_PLAYS}::bigint)`
}

/**
 * Takes a `reverting` import back, however far it was applied: all but what the listener said since is as before
 * (imports-27). Returns whether it is done; the import's own rows stay.
 */
export function revertImport(db: Database, importId: string, signal?: AbortSignal): Promise<boolean> {
  let last = '0'
  return inImportBatches(db, importId, 'reverting', signal, async (tx, found) => {
    const { userId } = found
    const rows = await tx<{ songId: string }[]>`
      select song_id from ratings where user_id = ${userId} and song_id > ${last} and import_id = ${importId}
      order by song_id limit ${SONGS_PER_BATCH}`
    const songs = rows.map(({ songId }) => songId)
    await tx`select from ${functions}.remove_imported(${userId}, ${importId}, ${songs}::bigint[])`
    last = songs.at(-1) ?? last
    if (songs.length === SONGS_PER_BATCH) return false
    await tx`delete from known_songs where user_id = ${userId} and import_id = ${importId}`
    await forgetPasses(tx, userId)
    await forgetTaste(tx, found)
    await forgetAchievements(tx, found)
    await tx`
      update imports set applied_place = 0, applied_at = null, achievements = '{}', began_taste = false
      where id = ${importId}`
    return true
  })
}

/** Passes that an import began, and in which nothing was dealt or said since. */
const forgetPasses = (tx: Transaction, listener: string) => tx`
  delete from listener_genres g
  where g.user_id = ${listener} and g.ratings = 0 and g.done = 0 and g.pass = 1 and g.pass_position = 0
    and g.ahead = '{}' and not exists (
      select from not_now n where n.user_id = ${listener} and n.microgenre_id = g.microgenre_id)`

/** Begins the taste anew with what other imports say. The next run of the learner adds the ratings since (discover-60). */
async function forgetTaste(tx: Transaction, { userId, beganTaste }: FoundImport): Promise<void> {
  if (!beganTaste) return
  await tx`update listener_stats set taste_run = null, t1 = 0, t2 = 0, t3 = 0, t4 = 0 where user_id = ${userId}`
  if (await beginTaste(tx, userId))
    await tx`
      update imports set began_taste = true where id = (
        select import_id from known_songs where user_id = ${userId} order by import_id limit 1)`
}

/** Those that ratings of another import reach, too, go with that one. */
async function forgetAchievements(tx: Transaction, { id, userId, achievements }: FoundImport): Promise<void> {
  const remaining = await withdrawUnreached(tx, userId, achievements)
  await tx`
    update imports set achievements = achievements || ${remaining}::bigint[]
    where id = (select max(id) from imports where user_id = ${userId} and id <> ${id} and applied_at is not null)`
}

/**
 * Repeats a batch of work on an import in transactions that hold its listener's lock, until it returns true, and pauses after
 * each for twice as long as it took. Returns false when `signal` stops it, when the listener is gone, or when the import has another
 * status.
 */
async function inImportBatches(
  db: Database,
  importId: string,
  status: 'applying' | 'reverting',
  signal: AbortSignal | undefined,
  work: (tx: Transaction, found: FoundImport) => Promise<boolean>,
): Promise<boolean> {
  while (!signal?.aborted) {
    const started = performance.now()
    const isDone = await db.begin(async (tx) => {
      const found = await lockImport(tx, importId, status)
      // A crash loses whole batches, which are done again, so no rating waits for this flush.
      await tx`set local synchronous_commit = off`
      return found ? work(tx, found) : null
    })
    if (isDone !== false) return isDone ?? false
    await wait(2 * (performance.now() - started), undefined, { signal }).catch(() => {})
  }
  return false
}

/** Locks the listener before the import, like the deletion of an account. */
async function lockImport(tx: Transaction, importId: string, status: string): Promise<FoundImport | null> {
  const [owner] = await tx<{ userId: string }[]>`select user_id from imports where id = ${importId}`
  if (!owner) return null
  const { length: isThere } = await tx`
    select from listener_stats where user_id = ${owner.userId} for no key update`
  if (!isThere) return null
  const [found] = await tx<FoundImport[]>`
    select id, user_id, applied_place, achievements, began_taste from imports
    where id = ${importId} and status = ${status} for no key update`
  return found ?? null
}
