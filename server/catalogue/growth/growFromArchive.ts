import type { Database } from '../../db/connection.ts'
import type { Env } from '../../env.ts'
import type { Archive, ArchiveItem, ArchiveTrack } from '../../integrations/archive.ts'
import { createProviderCache } from '../../integrations/providerCache.ts'
import { findCatalogueSongs } from '../../suggestions/catalogueSongs.ts'
import { findDeskState } from '../../suggestions/suggestions.ts'
import { ASK_AGAIN_SECONDS, createAsk, rejectOnAbort } from '../askServices.ts'
import { addSong, lockCatalogue } from '../oneSong.ts'
import { normalizeName } from '../spelling.ts'
import type { MicrogenreRef } from './collectCandidates.ts'
import { readSongs } from './decideCandidates.ts'
import type { Grow, GrowOptions } from './growMicrogenre.ts'
import { isSong } from './judgeRecording.ts'

const MAX_PER_RECORD = 2

/** Songs per microgenre and run. */
const DEFAULT_LIMIT = 10

/**
 * Adds whole recordings from netlabels of the Internet Archive (catalogue-26). Each record is marked when it is done, so
 * that a killed run continues.
 */
export function createGrowFromArchive(
  db: Database,
  env: Env,
  archive: Archive,
  { limit = DEFAULT_LIMIT, ...options }: GrowOptions,
): Grow {
  const ask = createAsk(options)
  const cache = createProviderCache<object>(db, 'grow-archive')
  const isDone = async (key: string) => (await cache.read([key])).size > 0
  const markDone = (key: string) => cache.write(new Map([[key, {}]]), ASK_AGAIN_SECONDS)

  /** Returns how many songs were added, and whether all was answered. */
  async function growFromItem(genre: MicrogenreRef, item: ArchiveItem, max: number) {
    const songs = await readSongs(db, genre)
    const record = await ask('The Internet Archive', () => archive.readTracks(item))
    let added = 0
    for (const track of record?.tracks ?? []) {
      if (added >= max) break
      if (!isSong(track) || !songs.isWithinShare(track.artist) || songs.find(track)) continue
      const file = await rejectOnAbort(() => archive.check(track.url), options.signal)
      // Its server is down, but others may not be.
      if ('error' in file) return { added, isAnswered: false }
      if (!file.plays || !(await addTrack(db, env, genre, track, item.licence))) continue
      songs.add(track)
      added += 1
    }
    return { added, isAnswered: record !== undefined }
  }

  return async (genre) => {
    const result = { added: 0, proposed: 0, isAnswered: true }
    const genreKey = `${genre.id} ${normalizeName(genre.name)}`
    if (await isDone(genreKey)) return result
    const found = await ask('The Internet Archive', () => archive.search(genre.name.toLowerCase()))
    if (!found) return { ...result, isAnswered: false }
    for (const item of found.items) {
      // The rest is for the next run.
      if (result.added >= limit) return result
      // The search also finds longer subjects.
      if (!item.subjects.some((subject) => normalizeName(subject) === normalizeName(genre.name))) continue
      const key = `${genre.id} ${item.id}`
      if (await isDone(key)) continue
      const max = Math.min(MAX_PER_RECORD, limit - result.added)
      const { added, isAnswered } = await growFromItem(genre, item, max)
      if (isAnswered) await markDone(key)
      result.added += added
      result.isAnswered &&= isAnswered
    }
    if (result.isAnswered) await markDone(genreKey)
    return result
  }
}

/** All microgenres, those with the fewest whole recordings first. */
export const listByWholeRecordings = (db: Database) => db<MicrogenreRef[]>`
  select id, name from microgenres m where retired_at is null
  order by (select count(*) from songs s where s.microgenre_id = m.id and audio is not null and s.retired_at is null), id`

/** Adds the song, unless it is in the catalogue, waits at the desk or was rejected there. */
const addTrack = (
  db: Database,
  env: Env,
  genre: MicrogenreRef,
  { lengthMs, url, ...song }: ArchiveTrack,
  licence: string,
): Promise<boolean> =>
  db.begin(async (tx) => {
    await lockCatalogue(tx)
    const [[same] = []] = await findCatalogueSongs(tx, env, [song], { retired: true })
    if (same || (await findDeskState(tx, song))) return false
    const audio = { url, licence, attribution: song.artist }
    const ids = { youtubeId: null, spotifyId: null, deezerTrackId: null, recordingMbid: null }
    return 'songId' in (await addSong(tx, genre.id, { ...song, ...ids, durationMs: lengthMs, audio }))
  })
