import { lockCatalogue, setUniqueIds } from '../catalogue/oneSong.ts'
import { type JudgedVideo, lockJudgedVideo, setVideoRefusal } from '../catalogue/videos/videoCandidates.ts'
import type { Transaction } from '../db/connection.ts'
import { type CaseHandler, caseClosed, conflict, type DecisionOutcome, noSuchCase } from './effect.ts'

/** Decisions on a video that was found for a song: approve and reject (desk-25). */
export const VIDEO_CASES: CaseHandler<'approve' | 'reject'> = {
  lock: async (tx, id) => (await lockVideo(tx, id)).isUndecided,
  effects: {
    approve: {
      async decide({ tx }, { subjectId }) {
        const video = await lockUndecided(tx, subjectId)
        if (video.isRetired) throw conflict('The song is retired already.')
        if (!video.lacksVideo) throw conflict('This song has got a video meanwhile.')
        const { youtubeId, videoId } = video
        await setVideo(tx, video, videoId)
        await setVideoRefusal(tx, subjectId, null)
        return outcomeOf(video, { field: 'youtubeId', before: youtubeId, after: videoId })
      },
      async undo({ tx }, { subjectId, changes, undoData }) {
        const video = await lockVideo(tx, subjectId)
        if (video.youtubeId !== video.videoId) throw conflict('The song was changed meanwhile.')
        await setVideo(tx, video, changes[0]?.before ?? null)
        await setVideoRefusal(tx, subjectId, undoData.refusal ?? null)
      },
    },
    reject: {
      async decide({ tx }, { subjectId }) {
        const video = await lockUndecided(tx, subjectId)
        await setVideoRefusal(tx, subjectId, 'rejected')
        return outcomeOf(video, { field: 'candidate', before: video.videoId, after: null })
      },
      undo: ({ tx }, { subjectId, undoData }) => setVideoRefusal(tx, subjectId, undoData.refusal ?? null),
    },
  },
}

/** Locks the catalogue first, like everything that changes a song's ids. @throws HttpError 404 for an unknown video. */
async function lockVideo(tx: Transaction, id: string): Promise<JudgedVideo> {
  await lockCatalogue(tx)
  const video = await lockJudgedVideo(tx, id)
  if (!video) throw noSuchCase()
  return video
}

async function lockUndecided(tx: Transaction, id: string): Promise<JudgedVideo> {
  const video = await lockVideo(tx, id)
  if (!video.isUndecided) throw caseClosed()
  return video
}

async function setVideo(
  tx: Transaction,
  { songId, spotifyId, recordingMbid }: JudgedVideo,
  youtubeId: string | null,
): Promise<void> {
  const refusal = await setUniqueIds(tx, songId, { youtubeId, spotifyId, recordingMbid })
  if (refusal) throw conflict(refusal.refusal)
}

const outcomeOf = (
  { title, artist, refusal }: JudgedVideo,
  change: NonNullable<DecisionOutcome['changes']>[number],
): DecisionOutcome => ({ label: `Video of ${title} by ${artist}`, changes: [change], undoData: { refusal } })
