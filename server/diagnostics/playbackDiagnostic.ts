import type {
  verifyVideo as endpoint,
  Replacement,
  SpotifyTrack,
  testPreviewAvailability,
} from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import type { Song } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'
import { DEEZER_UNAVAILABLE, type Deezer } from '../integrations/deezer.ts'
import type { Spotify } from '../integrations/spotify.ts'
import { YOUTUBE_UNAVAILABLE } from '../integrations/video.ts'
import { MAX_SEARCHES_PER_DAY, type Strategy, type Youtube } from '../integrations/youtube.ts'
import { type ArtistAndTitle, matchScore } from '../playback/matchScore.ts'
import { bestMatch } from '../playback/preview.ts'
import { BAD_CREDENTIALS, BAD_KEY, matchVideo, serviceUnavailable } from './verifySongs.ts'

/** The fixed eight tracks of the playback diagnostic, so that two runs can be compared (diagnostics-14). */
const SAMPLE_TRACKS: readonly ArtistAndTitle[] = [
  { artist: 'Portishead', title: 'Glory Box' },
  { artist: 'Slowdive', title: 'Alison' },
  { artist: 'Massive Attack', title: 'Unfinished Sympathy' },
  { artist: 'Phuture', title: 'Acid Tracks' },
  { artist: 'Massive Attack', title: 'Teardrop' },
  { artist: 'Burial', title: 'Archangel' },
  { artist: 'Aphex Twin', title: 'Windowlicker' },
  { artist: 'My Bloody Valentine', title: 'Only Shallow' },
]

/** Songs of the working-preview test (diagnostics-15). */
const SAMPLE_SONGS = 4

/**
 * The sample songs of the catalogue, and the first one's microgenre. If the catalogue has none, the first songs of
 * its first microgenre. They do not count as heard.
 */
export async function readSamples(
  db: Database,
  env: Env,
): Promise<{ microgenre: { id: string; name: string } | null; songs: Song[] }> {
  const sampleTracks = SAMPLE_TRACKS.slice(0, SAMPLE_SONGS)
  const rows = await db<SongRow[]>`
    with wanted as (
      select artist, title, place from jsonb_to_recordset(${db.json(
        sampleTracks.map((track, place) => ({ ...track, place })),
      )}) as i (artist text, title text, place int)),
    first_genre as (
      select id from microgenres where live_song_count > 0 order by lower(name) limit 1)
    select ${songColumns(db)} from (
      select s.id, w.place from wanted w join songs s on s.artist = w.artist and s.title = w.title
      union all
      (select s.id, ${SAMPLE_SONGS} + s.seq from songs s join first_genre g on g.id = s.microgenre_id
       where s.retired_at is null order by s.seq limit ${SAMPLE_SONGS})
    ) as chosen
    join songs s on s.id = chosen.id and s.retired_at is null
    join microgenres m on m.id = s.microgenre_id
    order by chosen.place, s.id`
  const songs = [...new Map(rows.map((row) => [row.songId, toSong(row, env)])).values()].slice(
    0,
    SAMPLE_SONGS,
  )
  const [first] = songs
  return { microgenre: first ? { id: first.microgenreId, name: first.microgenre } : null, songs }
}

/**
 * Searches the preview service for the eight sample tracks (diagnostics-15).
 * @throws HttpError 502 when every search failed.
 */
export async function countPreviews(deezer: Deezer): Promise<ResponseOf<typeof testPreviewAvailability>> {
  const answers = await Promise.all(SAMPLE_TRACKS.map(({ artist, title }) => deezer.search(artist, title)))
  if (answers.every((answer) => 'error' in answer)) throw serviceUnavailable(DEEZER_UNAVAILABLE)
  const tracks = SAMPLE_TRACKS.map(({ artist, title }, i) => {
    const answer = answers[i]
    const found = answer && 'tracks' in answer ? bestMatch(answer.tracks, { artist, title }) : undefined
    return { title, artist, found: found !== undefined, hasPreview: Boolean(found?.previewUrl) }
  })
  const tracksWithPreviews = tracks.filter(({ hasPreview }) => hasPreview).length
  return {
    tracksFound: tracks.filter(({ found }) => found).length,
    tracksWithPreviews,
    previewRate: Math.round((100 * tracksWithPreviews) / tracks.length),
    tracks,
  }
}

/**
 * Whether a video exists and may be embedded: by every way of checking when `enhanced`, else by the first that
 * answers. A video counts as embeddable when no answer says otherwise.
 * @throws HttpError 400 when YouTube rejects the key, 502 when it is unreachable.
 */
export async function verifyVideo(
  youtube: Youtube,
  videoId: string,
  { enhanced }: { enhanced: boolean },
): Promise<ResponseOf<typeof endpoint>> {
  const strategies = await youtube.checkEveryStrategy(videoId)
  if (strategies === 'bad-key') throw BAD_KEY
  const answered = strategies.flatMap(({ answer }) => (answer && !('error' in answer) ? answer : []))
  const [first] = answered
  if (!first) throw serviceUnavailable(YOUTUBE_UNAVAILABLE)
  const relevant = enhanced ? answered : [first]
  return {
    embeddable: relevant.every(({ embeddable }) => embeddable),
    accessible: relevant.every(({ exists }) => exists),
    error: relevant.find(({ problem }) => problem !== null)?.problem ?? null,
    strategies: (enhanced ? strategies : strategies.filter(({ answer }) => answer === first)).map(
      toStrategyResult,
    ),
  }
}

function toStrategyResult({ name, answer }: Strategy) {
  if (!answer) return { name, success: false, detail: 'YOUTUBE_API_KEY is not set.' }
  if ('error' in answer) return { name, success: false, detail: answer.error }
  return { name, success: answer.embeddable, detail: answer.problem ?? answer.title }
}

type ReplacementAnswer =
  | { success: true; message: null; replacement: Replacement }
  | { success: false; message: string; replacement: null }

/** Of 100; below it the video or track is another song. Between here and 80 the operator decides (diagnostics-18). */
const MIN_SCORE = 50

/**
 * The embeddable video that matches a song best.
 * @throws HttpError 400 when YouTube rejects the key, 502 when it is unreachable.
 */
export async function findReplacement(youtube: Youtube, song: ArtistAndTitle): Promise<ReplacementAnswer> {
  const found = await youtube.search(`${song.artist} ${song.title}`)
  if (found === 'bad-key') throw BAD_KEY
  if (found === 'away') throw serviceUnavailable(YOUTUBE_UNAVAILABLE)
  if (!Array.isArray(found)) return noVideo(REFUSAL_MESSAGES[found])

  const facts = await youtube.check(found.map(({ videoId }) => videoId))
  if (facts === 'bad-key') throw BAD_KEY
  const [best] = found
    .map((video) => ({ video, score: matchVideo(song, video).score, facts: facts.get(video.videoId) }))
    .filter(({ score, facts }) => score >= MIN_SCORE && facts && 'embeddable' in facts && facts.embeddable)
    .sort((a, b) => b.score - a.score)
  if (!best) return noVideo('No video was found that matches and may be embedded.')
  const { videoId, title, channel } = best.video
  return {
    success: true,
    message: null,
    replacement: { videoId, title, channelTitle: channel, matchScore: best.score, embeddable: true },
  }
}

const noVideo = (message: string): ReplacementAnswer => ({ success: false, message, replacement: null })

const REFUSAL_MESSAGES = {
  'no-key': 'YouTube search is not configured. Set YOUTUBE_API_KEY.',
  budget: `The ${MAX_SEARCHES_PER_DAY} searches of today are used up. Please try again tomorrow.`,
  quota: 'YouTube’s quota of today is used up. Please try again tomorrow.',
}

type SpotifyAnswer =
  | { success: true; message: null; result: SpotifyTrack }
  | { success: false; message: string; result: null }

/**
 * The Spotify track that matches a song best.
 * @throws HttpError 400 when Spotify rejects the credentials, 502 when it is unreachable.
 */
export async function searchSpotify(spotify: Spotify, song: ArtistAndTitle): Promise<SpotifyAnswer> {
  const found = await spotify.search(song.artist, song.title)
  if (found === 'no-key') {
    return noTrack('Spotify is not configured. Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET.')
  }
  if (found === 'bad-key') throw BAD_CREDENTIALS
  if (found === 'away') throw serviceUnavailable('Spotify does not answer right now.')
  const [best] = found
    .map((track) => ({ ...track, matchScore: scoreOf(song, track) }))
    .filter((track) => track.matchScore >= MIN_SCORE)
    .sort((a, b) => b.matchScore - a.matchScore)
  if (!best) return noTrack('No track was found that matches.')
  return { success: true, message: null, result: { ...best, hasPreview: best.previewUrl !== null } }
}

/** A track lists guests among its artists; the catalogue may have only the first. */
function scoreOf(song: ArtistAndTitle, { name, artists }: { name: string; artists: string[] }): number {
  const spellings = [artists.join(' '), ...artists]
  return Math.max(...spellings.map((artist) => matchScore(song, { title: name, artist })))
}

const noTrack = (message: string): SpotifyAnswer => ({ success: false, message, result: null })
