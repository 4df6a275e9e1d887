import type { DeskAction } from '../../contract/desk.ts'
import { lockCatalogue, setOwnIds } from '../catalogue/oneSong.ts'
import { type JudgedVideo, lockJudged, setRefusal } from '../catalogue/videos/offeredVideos.ts'
import type { Transaction } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { conflict, type Desk, type Effect, type Made, type Outcome } from './effect.ts'

/** Decisions on a video that was found for a song: approve and reject (desk-25). */
export const VIDEO_EFFECTS: Partial<Record<DeskAction, Effect>> = {
  approve: {
    async decide(desk, { subjectId }) {
      const video = await approve(desk, subjectId)
      const { youtubeId, videoId } = video
      return outcomeOf(video, { field: 'youtubeId', before: youtubeId, after: videoId })
    },
    async undo({ tx }, { subjectId, changes, kept }) {
      const video = await lockVideo(tx, subjectId)
      if (video.youtubeId !== video.videoId) throw conflict('The song was changed meanwhile.')
      await setVideo(tx, video, changes[0]?.before ?? null)
      await setRefusal(tx, subjectId, kept.refusal ?? null)
    },
    redo: async (desk, { subjectId }) => void (await approve(desk, subjectId)),
  },
  reject: {
    async decide(desk, { subjectId }) {
      const video = await reject(desk, subjectId)
      return outcomeOf(video, { field: 'candidate', before: video.videoId, after: null })
    },
    undo: ({ tx }, { subjectId, kept }: Made) => setRefusal(tx, subjectId, kept.refusal ?? null),
    redo: async (desk, { subjectId }) => void (await reject(desk, subjectId)),
  },
}

/** The catalogue first, as whatever else changes a song's ids does. @throws HttpError 404 for an unknown video. */
export async function lockVideo(tx: Transaction, id: string): Promise<JudgedVideo> {
  await lockCatalogue(tx)
  const video = await lockJudged(tx, id)
  if (!video) throw new HttpError(404, 'There is no such case.')
  return video
}

/** Gives the song the video. Returns what was before. */
async function approve({ tx }: Desk, id: string): Promise<JudgedVideo> {
  const video = await lockUndecided(tx, id)
  if (video.isRetired) throw conflict('The song is retired already.')
  if (!video.lacksVideo) throw conflict('This song has got a video meanwhile.')
  await setVideo(tx, video, video.videoId)
  await setRefusal(tx, id, null)
  return video
}

async function reject({ tx }: Desk, id: string): Promise<JudgedVideo> {
  const video = await lockUndecided(tx, id)
  await setRefusal(tx, id, 'rejected')
  return video
}

async function lockUndecided(tx: Transaction, id: string): Promise<JudgedVideo> {
  const video = await lockVideo(tx, id)
  if (!video.isUndecided) throw conflict('This case does not wait any more.')
  return video
}

async function setVideo(
  tx: Transaction,
  { songId, spotifyId, recordingMbid }: JudgedVideo,
  youtubeId: string | null,
): Promise<void> {
  const refused = await setOwnIds(tx, songId, { youtubeId, spotifyId, recordingMbid })
  if (refused) throw conflict(refused.refusal)
}

const outcomeOf = (
  { title, artist, refusal }: JudgedVideo,
  change: NonNullable<Outcome['changes']>[number],
): Outcome => ({ label: `Video of ${title} by ${artist}`, changes: [change], kept: { refusal } })
