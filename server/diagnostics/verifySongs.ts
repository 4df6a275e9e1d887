import {
  MAX_VERIFICATION_BATCH,
  MIN_MATCH_SCORE,
  type VerificationStats,
  type VerifiedSong,
  type verifyBatch,
} from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import type { VideoAnswer } from '../integrations/video.ts'
import type { Youtube } from '../integrations/youtube.ts'
import { unblockVideos } from '../playback/health.ts'
import { type ArtistAndTitle, combineScores, wordsOf } from '../playback/matchScore.ts'

/** Messages about outside services, for their operator (diagnostics-19). */
export const BAD_KEY = new HttpError(400, 'API key not valid. Please check YOUTUBE_API_KEY.')
export const BAD_CREDENTIALS = new HttpError(
  400,
  'API key not valid. Please check SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET.',
)

export const serviceUnavailable = (message: string) => new HttpError(502, message)

/**
 * Checks the videos of one batch of live songs, in the order they were added (diagnostics-6). It changes no song
 * (diagnostics-8), but unblocks a blocked video that can be embedded.
 * @throws HttpError 400 when YouTube rejects the key.
 */
export async function verifySongs(
  db: Database,
  youtube: Youtube,
  { batchSize, offset }: { batchSize: number; offset: number },
): Promise<ResponseOf<typeof verifyBatch>> {
  const size = Math.min(Math.max(batchSize, 1), MAX_VERIFICATION_BATCH)
  const total = await countSongs(db)
  const songs = await db<(Song & { blocked: boolean })[]>`
    select id as song_id, title, artist, youtube_id, spotify_id,
      coalesce(blocked_video_id = youtube_id, false) as blocked
    from songs
    where retired_at is null order by id limit ${size} offset ${offset}`
  const answers = await checkVideos(youtube, songs)
  const results = songs.map(({ blocked: _, ...song }) =>
    toVerifiedSong(song, answers.get(song.youtubeId ?? '')),
  )
  const unblocked = results.filter(({ youtubeAccessible }, i) => youtubeAccessible && songs[i]?.blocked)
  await unblockVideos(
    db,
    unblocked.flatMap(({ youtubeId }) => youtubeId ?? []),
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

/** Videos that failed for listeners are checked without the cache. */
async function checkVideos(
  youtube: Youtube,
  songs: readonly (Song & { blocked: boolean })[],
): Promise<Map<string, VideoAnswer>> {
  const videosOf = (blocked: boolean) =>
    songs.filter((song) => song.blocked === blocked).flatMap(({ youtubeId }) => youtubeId ?? [])
  const [cachedAnswers, freshAnswers] = await Promise.all([
    youtube.check(videosOf(false)),
    youtube.check(videosOf(true), { fresh: true }),
  ])
  if (cachedAnswers === 'bad-key' || freshAnswers === 'bad-key') throw BAD_KEY
  return new Map([...cachedAnswers, ...freshAnswers])
}

function toVerifiedSong(song: Song, answer: VideoAnswer | undefined): VerifiedSong {
  const unmatched = {
    youtubeAccessible: false,
    youtubeTitle: null,
    qualityScore: null,
    titleMatch: false,
    artistMatch: false,
  }
  if (!answer) return { ...song, ...unmatched, error: null }
  if ('error' in answer) return { ...song, ...unmatched, error: answer.error }
  if (!answer.embeddable) return { ...song, ...unmatched, youtubeTitle: answer.title, error: answer.problem }
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
  const goodMatches = count(({ qualityScore }) => qualityScore !== null && qualityScore >= MIN_MATCH_SCORE)
  return {
    total: results.length,
    accessible,
    blocked: results.length - accessible - missing,
    missing,
    goodMatches,
    poorMatches: accessible - goodMatches,
  }
}

/** How well a video's title and channel match a song. */
interface VideoMatch {
  /** 0 to 100. */
  score: number
  titleMatch: boolean
  artistMatch: boolean
}

/**
 * Each of these words in a video's title, but not in the song's, marks a cover version and costs this much of 100.
 */
const COVER_VERSION = {
  cost: 20,
  words: ['cover', 'karaoke', 'tribute', 'reaction', 'lesson', 'tutorial', 'remix', 'nightcore'],
}

/**
 * Searches the song's words in the video's title and channel: 'Slowdive - Alison (Official Video)' is a full match
 * for 'Alison' by Slowdive, and so is 'Alison' on the channel 'Slowdive - Topic'.
 */
export function matchVideo(
  song: ArtistAndTitle,
  video: { title: string; channel: string | null },
): VideoMatch {
  const title = wordShare(song.title, video.title)
  const artist = wordShare(song.artist, `${video.title} ${video.channel ?? ''}`)
  const videoWords = wordsOf(video.title)
  const songWords = wordsOf(`${song.title} ${song.artist}`)
  const isForeign = COVER_VERSION.words.some((word) => videoWords.has(word) && !songWords.has(word))
  const titleMatch = title >= MIN_MATCH_SCORE
  const artistMatch = artist >= MIN_MATCH_SCORE
  const score = combineScores(title, artist, titleMatch && artistMatch)
  return { score: Math.max(0, score - (isForeign ? COVER_VERSION.cost : 0)), titleMatch, artistMatch }
}

/** The share of the words of `name` that `text` contains, of 100. */
function wordShare(name: string, text: string): number {
  const nameWords = [...wordsOf(name)]
  const videoWords = wordsOf(text)
  if (nameWords.length === 0) return text.toLowerCase().includes(name.trim().toLowerCase()) ? 100 : 0
  // Japanese and similar scripts have no spaces between words.
  const unspaced = [...videoWords].join('')
  const isThere = (word: string) => videoWords.has(word) || (!/^[\w]+$/.test(word) && unspaced.includes(word))
  return (100 * nameWords.filter(isThere).length) / nameWords.length
}
