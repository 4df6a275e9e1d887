import {
  GOOD_MATCH,
  VERIFICATION_BATCH,
  type VerificationStats,
  type VerifiedSong,
} from '../../contract/diagnostics.ts'
import type { Database } from '../db/connection.ts'
import type { VideoAnswer } from '../integrations/video.ts'
import type { Youtube } from '../integrations/youtube.ts'
import { clearHealth } from '../playback/health.ts'
import { BAD_KEY } from './serviceErrors.ts'
import { matchVideo } from './videoMatch.ts'

interface Batch {
  results: VerifiedSong[]
  stats: VerificationStats
  progress: number
  currentBatch: number
  completed: boolean
}

/**
 * Checks the videos of one batch of live songs, in the order they were added (diagnostics-6). Songs do not change
 * (diagnostics-8), except that a blocked video that can be embedded is unblocked.
 * @throws HttpError 400 when YouTube rejects the key.
 */
export async function verifySongs(
  db: Database,
  youtube: Youtube,
  { batchSize, offset }: { batchSize: number; offset: number },
): Promise<Batch> {
  const size = Math.min(Math.max(batchSize, 1), VERIFICATION_BATCH)
  const total = await countSongs(db)
  const songs = await db<(Song & { blocked: boolean })[]>`
    select id as song_id, title, artist, youtube_id, spotify_id,
      coalesce(blocked_video_id = youtube_id, false) as blocked
    from songs
    where retired_at is null order by id limit ${size} offset ${offset}`
  const answers = await checkVideos(youtube, songs)
  const results = songs.map(({ blocked: _, ...song }) => verdictOf(song, answers.get(song.youtubeId ?? '')))
  const cleared = results.filter(({ youtubeAccessible }, i) => youtubeAccessible && songs[i]?.blocked)
  await clearHealth(
    db,
    cleared.flatMap(({ youtubeId }) => youtubeId ?? []),
  )
  return {
    results,
    stats: countResults(results),
    progress: total === 0 ? 100 : Math.min(100, Math.floor(((offset + size) / total) * 100)),
    currentBatch: Math.floor(offset / size) + 1,
    completed: offset + size >= total,
  }
}

export async function countSongs(db: Database): Promise<number> {
  const [row] = await db<{ total: number }[]>`
    select coalesce(sum(live_song_count), 0)::int as total from microgenres`
  return row?.total ?? 0
}

type Song = Pick<VerifiedSong, 'songId' | 'title' | 'artist' | 'youtubeId' | 'spotifyId'>

/** Results from before a video failed for listeners are not trusted. */
async function checkVideos(
  youtube: Youtube,
  songs: readonly (Song & { blocked: boolean })[],
): Promise<Map<string, VideoAnswer>> {
  const videosOf = (blocked: boolean) =>
    songs.filter((song) => song.blocked === blocked).flatMap(({ youtubeId }) => youtubeId ?? [])
  const [known, fresh] = await Promise.all([
    youtube.check(videosOf(false)),
    youtube.check(videosOf(true), { fresh: true }),
  ])
  if (known === 'bad-key' || fresh === 'bad-key') throw BAD_KEY
  return new Map([...known, ...fresh])
}

function verdictOf(song: Song, answer: VideoAnswer | undefined): VerifiedSong {
  const unjudged = {
    youtubeAccessible: false,
    youtubeTitle: null,
    qualityScore: null,
    titleMatch: false,
    artistMatch: false,
  }
  if (!answer) return { ...song, ...unjudged, error: null }
  if ('error' in answer) return { ...song, ...unjudged, error: answer.error }
  if (!answer.embeddable) return { ...song, ...unjudged, youtubeTitle: answer.title, error: answer.problem }
  const match = matchVideo(song, { title: answer.title ?? '', channel: answer.channel })
  return {
    ...song,
    youtubeAccessible: true,
    youtubeTitle: answer.title,
    qualityScore: match.score,
    titleMatch: match.titleMatch,
    artistMatch: match.artistMatch,
    error: null,
  }
}

/** Only accessible videos are matched (diagnostics-7). */
function countResults(results: readonly VerifiedSong[]): VerificationStats {
  const count = (holds: (result: VerifiedSong) => boolean) => results.filter(holds).length
  const accessible = count((result) => result.youtubeAccessible)
  const missing = count((result) => result.youtubeId === null)
  const goodMatches = count(({ qualityScore }) => qualityScore !== null && qualityScore >= GOOD_MATCH)
  return {
    total: results.length,
    accessible,
    blocked: results.length - accessible - missing,
    missing,
    goodMatches,
    poorMatches: accessible - goodMatches,
  }
}
