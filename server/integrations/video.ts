/** What YouTube knows about a video. */
export interface VideoFacts {
  /** It exists and is not private. */
  exists: boolean
  /** It may be embedded on other sites. */
  embeddable: boolean
  /** It plays in too few countries; false when unknown. */
  isRegional: boolean
  /** Null when unknown. */
  title: string | null
  channel: string | null
  durationMs: number | null
  /** Why it cannot be embedded; null when it can. */
  problem: string | null
}

/** An `error` says nothing about the video: YouTube could not be asked. */
export type VideoAnswer = VideoFacts | { error: string }

export const YOUTUBE_UNAVAILABLE = 'YouTube does not answer right now.'

/** A video that cannot be embedded, and why. */
export function unplayableVideo(
  problem: string,
  details: Partial<Omit<VideoFacts, 'embeddable' | 'problem'>> = {},
): VideoFacts {
  return {
    exists: true,
    isRegional: false,
    title: null,
    channel: null,
    durationMs: null,
    ...details,
    embeddable: false,
    problem,
  }
}

export const NO_SUCH_VIDEO = 'There is no such video, or it was removed.'
