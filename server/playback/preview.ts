import { setTimeout as sleep } from 'node:timers/promises'
import { MIN_MATCH_SCORE } from '../../contract/diagnostics.ts'
import type { PreviewAnswer } from '../../contract/playback.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { claimOnce, defineLimit, endClaim, enforceLimit, isClaimUnderWay } from '../http/limits/limits.ts'
import type { Deezer, DeezerTrack } from '../integrations/deezer.ts'
import { type ArtistAndTitle, matchScore } from './matchScore.ts'

/** Of all calls that ask outside services for songs, so that few listeners cannot use up what Deezer allows. */
export const LOOKUPS = defineLimit({
  name: 'lookups',
  max: 40,
  seconds: 60,
  message: 'Too many songs were looked up. Please wait a minute.',
  counts: 'songs looked up at outside services',
  per: 'listener',
})

const VISITOR_LOOKUPS = defineLimit({
  ...LOOKUPS,
  name: 'visitor-lookups',
  counts: 'songs looked up for visitors',
  per: 'network',
})

const LOOKUP = 'visitor-lookup'

/** For which visitors cause no second look-up of a song, found or not (visitors-3). */
const LOOKUP_MINUTES = 15

/** The same after Deezer did not answer, or the look-up failed. */
const OUTAGE_MINUTES = 1

/** How often, in milliseconds, and how many times a visitor's call asks for the result of another process. */
const RESULT_INTERVAL = 500
const MAX_RESULT_READS = 4

/** How long a preview address is cached; Deezer signs them for a few hours (playback-14). */
const PREVIEW_MINUTES = 60

/**
 * Finds a preview. A catalogue song stores the result: the track, its address for an hour, and its art if the song
 * has none. `fresh` ignores the cached address.
 * @throws HttpError 429 when the listener has looked up too many songs.
 */
export async function findPreview(
  db: Database,
  deezer: Deezer,
  listener: string,
  { artist, title, songId, fresh }: { artist: string; title: string; songId?: string; fresh: boolean },
): Promise<PreviewAnswer> {
  const stored = songId ? await readSong(db, songId) : undefined
  if (stored?.previewUrl && !stored.expired && !fresh) return withPreview(stored.previewUrl, stored.albumArt)

  await enforceLimit(db, LOOKUPS, listener)
  return lookUp(db, deezer, { artist, title }, songId, stored)
}

/**
 * Finds a song's preview for somebody in `network`; null only reads what is stored. However many visitors ask, a song is
 * looked up at most once in LOOKUP_MINUTES; those who ask at the same time share one of `lookups`, by song, and by network
 * and song: one network's 429 is not another's.
 * @throws HttpError 404 for an unknown or retired song, 429 when the network has asked for too many look-ups.
 */
export async function findPreviewForVisitor(
  db: Database,
  deezer: Deezer,
  songId: string,
  network: string | null,
  lookups: Map<string, Promise<PreviewAnswer>>,
): Promise<PreviewAnswer> {
  const find = async () => {
    const song = await readSong(db, songId)
    if (!song || song.retired) throw new HttpError(404, 'There is no such song.')
    return {
      song,
      preview: song.previewUrl && !song.expired ? withPreview(song.previewUrl, song.albumArt) : null,
    }
  }
  const { song, preview } = await find()
  if (preview) return preview
  if (network === null) return withoutPreview(NO_PREVIEW)
  const share = (key: string, work: () => Promise<PreviewAnswer>) => {
    const answer = lookups.get(key) ?? work().finally(() => lookups.delete(key))
    lookups.set(key, answer)
    return answer
  }
  const lookUpOnce = async () => {
    if (await claimOnce(db, LOOKUP, songId, LOOKUP_MINUTES * 60)) {
      let minutes = OUTAGE_MINUTES
      try {
        const answer = await lookUp(db, deezer, song, songId, song)
        if (answer.success || answer.message === NO_PREVIEW) minutes = LOOKUP_MINUTES
        return answer
      } finally {
        await endClaim(db, LOOKUP, songId, minutes * 60)
      }
    }
    for (let n = 0; n < MAX_RESULT_READS && (await isClaimUnderWay(db, LOOKUP, songId)); n++)
      await sleep(RESULT_INTERVAL)
    return (await find()).preview ?? withoutPreview(NO_PREVIEW)
  }
  return (
    lookups.get(songId) ??
    share(`${network} ${songId}`, async () => {
      await enforceLimit(db, VISITOR_LOOKUPS, network)
      return share(songId, lookUpOnce)
    })
  )
}

/** Asks Deezer, and stores what it finds for a stored song. */
async function lookUp(
  db: Database,
  deezer: Deezer,
  names: ArtistAndTitle,
  songId: string | undefined,
  stored: StoredSong | undefined,
): Promise<PreviewAnswer> {
  // For stored songs the catalogue's names count, not the caller's.
  const wanted = stored ?? { ...names, deezerTrackId: null }
  const storedAnswer = wanted.deezerTrackId ? await deezer.find(wanted.deezerTrackId) : { tracks: [] }
  if ('error' in storedAnswer) return withoutPreview(storedAnswer.error)
  const [storedTrack] = storedAnswer.tracks.filter(hasPreview)
  // A removed track may exist under another id.
  const answer = storedTrack ? storedAnswer : await deezer.search(wanted.artist, wanted.title)
  if ('error' in answer) return withoutPreview(answer.error)
  const track = storedTrack ?? bestMatch(answer.tracks.filter(hasPreview), wanted)
  if (!track) return withoutPreview(NO_PREVIEW)
  if (songId && stored) await storePreview(db, songId, track)
  return withPreview(track.previewUrl, stored?.albumArt ?? track.albumArt)
}

/** The best match, if it is good enough. */
export function bestMatch<T extends ArtistAndTitle>(
  tracks: readonly T[],
  wanted: ArtistAndTitle,
): T | undefined {
  return tracks
    .map((track) => ({ track, score: matchScore(wanted, track) }))
    .filter(({ score }) => score >= MIN_MATCH_SCORE)
    .sort((a, b) => b.score - a.score)[0]?.track
}

const NO_PREVIEW = 'No preview was found for this song.'

type PlayableTrack = DeezerTrack & { previewUrl: string }

const hasPreview = (track: DeezerTrack): track is PlayableTrack => track.previewUrl !== null

const withPreview = (previewUrl: string, albumArt: string | null): PreviewAnswer => ({
  success: true,
  message: null,
  result: { source: 'deezer', previewUrl, albumArt },
})

const withoutPreview = (message: string): PreviewAnswer => ({ success: false, message, result: null })

interface StoredSong {
  artist: string
  title: string
  albumArt: string | null
  deezerTrackId: string | null
  previewUrl: string | null
  expired: boolean
  retired: boolean
}

async function readSong(db: Database, songId: string): Promise<StoredSong | undefined> {
  const [row] = await db<StoredSong[]>`
    select artist, title, album_art, deezer_track_id, preview_url,
      coalesce(preview_expires_at <= now(), true) as expired, retired_at is not null as retired
    from songs where id = ${songId}`
  return row
}

async function storePreview(db: Database, songId: string, track: PlayableTrack): Promise<void> {
  await db`
    update songs set
      deezer_track_id = ${track.id},
      preview_url = ${track.previewUrl},
      preview_expires_at = now() + ${PREVIEW_MINUTES} * interval '1 minute',
      album_art = coalesce(album_art, ${track.albumArt})
    where id = ${songId}`
}
