import type { Database } from '../db/connection.ts'
import type { Deezer, DeezerTrack } from '../integrations/deezer.ts'
import { createProviderCache, type ProviderCache } from '../integrations/providerCache.ts'
import { bestMatch } from '../playback/preview.ts'
import { ASK_AGAIN_SECONDS, askUntilAnswered, type ServiceOptions } from './askServices.ts'
import { isOtherVersion } from './identity/names.ts'
import { isSameTrack } from './identity/storeRecording.ts'
import { readAnalyzedPages, readCount } from './pages.ts'

const noCounts = () => ({
  /** Incomplete songs done so far. */
  done: 0,
  all: 0,
  /** What was filled in. */
  tracks: 0,
  durations: 0,
  art: 0,
  /** Songs that Deezer does not know. */
  unknown: 0,
  wasInterrupted: false,
})

export type FillCounts = ReturnType<typeof noCounts>

/** Songs per page, and concurrent requests: our throttle at Deezer is eight a second. */
const PAGE_SIZE = 100
const CONCURRENCY = 4

/**
 * Fills in missing track ids, durations and art from Deezer. Existing values stay. Songs that stay incomplete are
 * skipped for 30 days, so an interrupted run continues where it stopped.
 * @throws BadInput when Deezer does not answer.
 */
export async function fillFromDeezer(
  db: Database,
  deezer: Deezer,
  options: ServiceOptions<FillCounts> = {},
): Promise<FillCounts> {
  const askedCache = createProviderCache<object>(db, 'deezer-enrich')
  const counts = {
    ...noCounts(),
    all: await readCount(
      db<{ songs: number }[]>`select count(*)::int as songs from songs s where ${isIncomplete(db)}`,
    ),
  }
  const { signal, onProgress } = options
  const readPage = (after: string) => db<Song[]>`
    select id, artist, title, isrc, deezer_track_id, duration_ms, album_art from songs s
    where ${isIncomplete(db)} and id > ${after} order by id limit ${PAGE_SIZE}`
  for await (const songs of readAnalyzedPages(db, readPage, signal)) {
    for (let i = 0; i < songs.length && !signal?.aborted; i += CONCURRENCY) {
      const some = songs.slice(i, i + CONCURRENCY)
      const settled = await Promise.allSettled(
        some.map((song) => fillSong(db, deezer, askedCache, song, options, counts)),
      )
      const failed = settled.find((one) => one.status === 'rejected')
      // Ctrl-C during a pause is not a failure.
      if (failed && !signal?.aborted) throw failed.reason
      onProgress?.(counts)
    }
  }
  counts.wasInterrupted = signal?.aborted ?? false
  return counts
}

interface Song {
  id: string
  artist: string
  title: string
  isrc: string | null
  deezerTrackId: string | null
  durationMs: number | null
  albumArt: string | null
}

const isIncomplete = (db: Database) => db`
  s.retired_at is null and (s.deezer_track_id is null or s.duration_ms is null or s.album_art is null)
  and not exists (select from provider_cache c
                  where c.provider = 'deezer-enrich' and c.key = s.id::text and c.expires_at > now())`

async function fillSong(
  db: Database,
  deezer: Deezer,
  askedCache: ProviderCache<object>,
  song: Song,
  options: ServiceOptions<FillCounts>,
  counts: FillCounts,
): Promise<void> {
  const { track } = await askUntilAnswered('Deezer', () => findTrack(deezer, song), options)
  const found = {
    // Without a preview a track cannot be played.
    trackId: track?.previewUrl ? track.id : null,
    // Another version's length would later identify the song as that version.
    durationMs: track && !isOtherVersion(song.title, track.title) ? track.durationMs : null,
    albumArt: track?.albumArt ?? null,
  }
  await db`
    update songs set deezer_track_id = coalesce(deezer_track_id, ${found.trackId}),
      duration_ms = coalesce(duration_ms, ${found.durationMs}),
      album_art = coalesce(album_art, ${found.albumArt})
    where id = ${song.id}`
  const staysIncomplete = [
    song.deezerTrackId ?? found.trackId,
    song.durationMs ?? found.durationMs,
    song.albumArt ?? found.albumArt,
  ].includes(null)
  if (staysIncomplete) await askedCache.write(new Map([[song.id, {}]]), ASK_AGAIN_SECONDS)
  counts.done += 1
  counts.tracks += Number(!song.deezerTrackId && found.trackId !== null)
  counts.durations += Number(!song.durationMs && found.durationMs !== null)
  counts.art += Number(!song.albumArt && found.albumArt !== null)
  counts.unknown += Number(!track)
}

/** Undefined when Deezer does not answer; no track for an unknown song. */
async function findTrack(deezer: Deezer, song: Song): Promise<{ track?: DeezerTrack } | undefined> {
  if (song.deezerTrackId) {
    const answer = await deezer.find(song.deezerTrackId)
    if ('error' in answer) return undefined
    if (answer.tracks[0]) return { track: answer.tracks[0] }
  }
  if (song.isrc) {
    const answer = await deezer.findByIsrc(song.isrc)
    if ('error' in answer) return undefined
    const track = answer.tracks.find((one) => one.previewUrl && isSameTrack(song, one, song.durationMs))
    if (track) return { track }
  }
  const answer = await deezer.search(song.artist, song.title)
  if ('error' in answer) return undefined
  const playable = answer.tracks.filter(({ previewUrl }) => previewUrl !== null)
  return { track: bestMatch(playable, song) ?? bestMatch(answer.tracks, song) }
}
