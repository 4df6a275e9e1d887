import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import type { Deezer, DeezerTrack } from '../integrations/deezer.ts'
import { isPublicMusicbrainz, MUSICBRAINZ_INTERVAL } from '../integrations/musicbrainz.ts'
import { createProviderCache, type ProviderCache } from '../integrations/providerCache.ts'
import { bestMatch } from '../playback/preview.ts'
import {
  ASK_AGAIN_SECONDS,
  askUntilAnswered,
  readAnalyzedPages,
  readCount,
  type ServiceOptions,
} from './askServices.ts'
import { type Command, DRY_RUN_NOTICE, formatCount, wholePercent } from './command.ts'
import {
  countUnidentified,
  type IdentityCounts,
  type IdentityServices,
  identifySongs,
} from './identity/identifySongs.ts'
import { isOtherVersion } from './identity/names.ts'
import { isSameTrack } from './identity/storeRecording.ts'
import { countIdentified, listUnidentified } from './identity/unidentified.ts'
import { formatElapsed } from './progressLine.ts'

export interface EnrichCounts {
  filled: FillCounts
  /** Null until the first part is done. */
  identified: IdentityCounts | null
  wasInterrupted: boolean
}

export const enrich: Command<EnrichCounts, void> = {
  async run({ db, env, services, signal, print, copyForDryRun }, onProgress) {
    await copyForDryRun('provider_cache')
    for (const text of await estimate(db, env)) print(text)
    return enrichSongs(db, services, { signal, onProgress })
  },
  progress({ filled, identified }) {
    const { done, all } = identified ?? filled
    const text = identified
      ? `${done} of ${all} asked about, ${identified.recordings} identified`
      : `${done} of ${all}, ${filled.unknown} not found`
    return { share: all > 0 ? done / all : null, text }
  },
  async summary({ filled, identified, wasInterrupted }, { db, isDryRun }, time) {
    const now = await countIdentified(db)
    const reasons = now.reasons.map(({ reason, songs }) => `${formatCount(songs)} ${reason}`)
    return [
      `${wasInterrupted ? 'Stopped after looking up' : 'Looked up'} ${formatCount(filled.done)} of ` +
        `${formatCount(filled.all)} incomplete songs in ${time.text}.`,
      `Filled in ${formatCount(filled.tracks)} tracks, ${formatCount(filled.durations)} durations and ` +
        `${formatCount(filled.art)} covers; Deezer did not find ${formatCount(filled.unknown)}.`,
      `Identified ${formatCount(now.identified)} of ${formatCount(now.songs)} songs ` +
        `(${wholePercent(now.identified, now.songs)} %), ${formatCount(identified?.recordings ?? 0)} in this run, ` +
        `which also found ${formatCount(identified?.isrcs ?? 0)} ISRCs.`,
      ...(reasons.length > 0 ? [`Not identified: ${reasons.join(', ')}.`] : []),
      ...(isDryRun ? [DRY_RUN_NOTICE] : []),
    ]
  },
  report: {
    of: 'songs that are not identified',
    columns: ['key', 'artist', 'title', 'reason', 'detail'],
    rows: listUnidentified,
  },
}

/** A first estimate; the progress line's is better, but comes late. */
async function estimate(db: Database, env: Env): Promise<string[]> {
  const songs = isPublicMusicbrainz(env) ? await countUnidentified(db) : 0
  if (songs === 0) return []
  const help = env.LISTENBRAINZ_TOKEN ? 'less where ListenBrainz knows them' : 'less with LISTENBRAINZ_TOKEN'
  return [
    `${formatCount(songs)} songs to identify: about ${formatElapsed(songs * MUSICBRAINZ_INTERVAL)} at MusicBrainz, which answers once a ` +
      `second; ${help}. Ctrl-C stops, and the same command continues.`,
  ]
}

/**
 * Completes songs: tracks, durations and covers from Deezer, eight a second; then their identity, for which durations
 * are evidence. Existing values stay. An interrupted run continues where it stopped.
 * @throws BadInput when a service does not answer.
 */
export async function enrichSongs(
  db: Database,
  services: IdentityServices,
  { onProgress, ...options }: ServiceOptions<EnrichCounts> = {},
): Promise<EnrichCounts> {
  const filled = await fillFromDeezer(db, services.deezer, {
    ...options,
    onProgress: (now) => onProgress?.({ filled: now, identified: null, wasInterrupted: false }),
  })
  if (filled.wasInterrupted) return { filled, identified: null, wasInterrupted: true }
  const identified = await identifySongs(db, services, {
    ...options,
    onProgress: (now) => onProgress?.({ filled, identified: now, wasInterrupted: false }),
  })
  return { filled, identified, wasInterrupted: identified.wasInterrupted }
}

const noCounts = () => ({
  done: 0,
  all: 0,
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
