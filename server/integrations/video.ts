/** What YouTube says of one video. */
export interface VideoFacts {
  /** It is there, and not private. */
  exists: boolean
  /** It may be played outside of YouTube. */
  embeddable: boolean
  /** Null where the way of asking tells none. */
  title: string | null
  channel: string | null
  durationMs: number | null
  /** Why it cannot be embedded, in words; null when it can. */
  problem: string | null
}

/** An `error` says nothing of the video: nobody could be asked. */
export type VideoAnswer = VideoFacts | { error: string }

export const YOUTUBE_AWAY = 'YouTube does not answer right now.'

/** A video that cannot be played outside of YouTube, and why. */
export function unplayable(
  problem: string,
  known: Partial<Omit<VideoFacts, 'embeddable' | 'problem'>> = {},
): VideoFacts {
  return { exists: true, title: null, channel: null, durationMs: null, ...known, embeddable: false, problem }
}

export const NO_SUCH_VIDEO = 'There is no such video, or it was removed.'
