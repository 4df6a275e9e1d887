import type { VideoSource } from '../../../contract/desk.ts'
import type { Database } from '../../db/connection.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import { parseSongAddress } from '../../suggestions/songAddress.ts'
import { judgeVideo, VIDEO_SOURCES } from './judgeVideo.ts'
import { claimVideo, findVideoOwner, storeJudgements, type VideoCandidate } from './videoCandidates.ts'

export interface SongWithoutVideo {
  id: string
  artist: string
  title: string
  durationMs: number | null
  /** Empty when it is not known. */
  recordingMbid: string
  blockedVideoId: string | null
  facts: string
}

/** A video that a source names for a song. */
export interface NamedVideo {
  videoId: string
  source: VideoSource
  /** The length by the source, for when YouTube does not tell it. */
  durationMs?: number | null
}

export const toNamedVideos = (source: VideoSource, videoIds: string[]): NamedVideo[] =>
  videoIds.map((videoId) => ({ videoId, source }))

/** The video id in a YouTube URL or id, as a list of at most one. */
export function videoIdOf(text: string): string[] {
  if (/^[\w-]{11}$/.test(text)) return [text]
  const read = parseSongAddress(text)
  return 'ids' in read && read.ids.youtubeId ? [read.ids.youtubeId] : []
}

const MAX_CANDIDATES = 20

/**
 * Gives a song the best of its videos, and stores the others with the reason. Returns the source of the video; null
 * when it got none.
 */
export async function assignVideo(
  db: Database,
  song: SongWithoutVideo,
  named: NamedVideo[],
  checked: Map<string, VideoFacts>,
): Promise<VideoSource | null> {
  // The first source of a video is the most trusted.
  const byVideo = new Map<string, NamedVideo>()
  for (const video of named) {
    // The blocked video failed for listeners.
    if (!byVideo.has(video.videoId) && video.videoId !== song.blockedVideoId)
      byVideo.set(video.videoId, video)
  }
  const candidates = [...byVideo.values()]
    .slice(0, MAX_CANDIDATES)
    .flatMap(({ videoId, source, durationMs = null }) => {
      const facts = checked.get(videoId)
      return facts
        ? [toCandidate(song, videoId, source, { ...facts, durationMs: facts.durationMs ?? durationMs })]
        : []
    })
    .sort((a, b) => VIDEO_SOURCES.indexOf(a.source) - VIDEO_SOURCES.indexOf(b.source) || b.score - a.score)
  let taken: VideoCandidate | undefined
  const refused: VideoCandidate[] = []
  for (const candidate of candidates) {
    if (candidate.refusal) refused.push(candidate)
    else if (taken) refused.push({ ...candidate, refusal: 'not needed' })
    else if (await claimVideo(db, song.id, candidate)) taken = candidate
    else {
      const owner = await findVideoOwner(db, candidate.videoId)
      refused.push({ ...candidate, refusal: owner ? 'of another song' : 'not needed', detail: owner })
    }
  }
  await storeJudgements(db, song.id, refused)
  return taken?.source ?? null
}

function toCandidate(
  song: SongWithoutVideo,
  videoId: string,
  source: VideoSource,
  facts: VideoFacts,
): VideoCandidate {
  return {
    videoId,
    source,
    ...judgeVideo(song, source, facts),
    title: facts.title === null ? null : toStorableText(facts.title),
    channel: facts.channel === null ? null : toStorableText(facts.channel),
    durationMs: facts.durationMs,
  }
}

/** PostgreSQL stores no NUL. */
const toStorableText = (text: string) => text.replaceAll('\0', '').slice(0, 300)
