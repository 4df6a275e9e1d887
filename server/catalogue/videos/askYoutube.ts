import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../db/connection.ts'
import { BadInput } from '../../inputErrors.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import type { Youtube } from '../../integrations/youtube.ts'
import { createAsk, NoAnswer, type ServiceOptions } from '../askServices.ts'

/**
 * YouTube's facts about videos, without those that it did not answer about; undefined without any. `freshIds` are asked
 * about even if an answer is cached.
 * @throws BadInput when YouTube rejects the key.
 */
export async function askYoutube(
  youtube: Youtube,
  videoIds: readonly string[],
  freshIds: readonly string[] = [],
): Promise<Map<string, VideoFacts> | undefined> {
  const facts = new Map<string, VideoFacts>()
  for (const [ids, fresh] of [
    [videoIds, false],
    [freshIds, true],
  ] as const) {
    const answers = await youtube.check(ids, { fresh })
    if (answers === 'bad-key') throw new BadInput(BAD_KEY_MESSAGE)
    for (const [id, answer] of answers) if (!('error' in answer)) facts.set(id, answer)
  }
  return facts.size > 0 ? facts : undefined
}

export const BAD_KEY_MESSAGE = 'YouTube rejects YOUTUBE_API_KEY: API key not valid.'

/** While the answers are not trusted, nothing is decided when so many videos are dead and none plays. */
const MAX_DEAD_AT_FIRST = 20

interface VideoToCheck {
  youtubeId: string
  /** A cached answer is older than the failure. */
  blocked: boolean
}

/** Unanswered videos are absent. */
export type VideoAsk = (videos: VideoToCheck[]) => Promise<Map<string, VideoFacts>>

interface VideoAskOptions extends Pick<ServiceOptions, 'signal' | 'retry'> {
  /** Videos per question. */
  size: number
  /** Milliseconds from one question to the next. */
  interval?: number
  /** Whether to believe that videos are dead before one plays. */
  isTrusted: boolean
}

/** Returns a function that asks YouTube about videos. */
export function createVideoAsk(
  db: Database,
  youtube: Youtube,
  { size, interval = 0, isTrusted, ...options }: VideoAskOptions,
): VideoAsk {
  const ask = createAsk(options)
  let nextTurn = 0
  let hasTrust = isTrusted

  async function askOnce(videos: VideoToCheck[]): Promise<Map<string, VideoFacts>> {
    if (videos.length === 0) return new Map()
    const idsOf = (blocked: boolean) =>
      videos.flatMap((video) => (video.blocked === blocked ? video.youtubeId : []))
    const answers = await ask('YouTube', async () => {
      await wait(Math.max(0, nextTurn - Date.now()), undefined, { signal: options.signal })
      nextTurn = Date.now() + interval
      return askYoutube(youtube, idsOf(false), idsOf(true))
    })
    return answers ?? new Map()
  }

  /**
   * A proxy or a wrong address may call every video dead. When a run's first videos are, others are asked about, those
   * that played last before the rest.
   * @throws NoAnswer when none of them plays.
   */
  async function requirePlayingVideo(first: Map<string, VideoFacts>): Promise<void> {
    const others = await db<VideoToCheck[]>`
      select youtube_id, true as blocked from songs s
      where s.retired_at is null and s.youtube_id is not null and s.youtube_id is distinct from s.blocked_video_id
        and s.youtube_id <> all(${[...first.keys()]})
      order by (s.checked_video_id is not distinct from s.youtube_id) desc, s.checked_at desc, s.id
      limit ${Math.max(0, MAX_DEAD_AT_FIRST - first.size)}`
    let answers = first
    for (let offset = 0; ; offset += size) {
      hasTrust = [...answers.values()].some(({ embeddable }) => embeddable)
      if (hasTrust) return
      if (offset >= others.length) break
      answers = await askOnce(others.slice(offset, offset + size))
    }
    if (first.size + others.length >= MAX_DEAD_AT_FIRST) throw new NoAnswer('YouTube')
  }

  return async (videos) => {
    const answers = await askOnce(videos)
    if (!hasTrust && answers.size > 0) await requirePlayingVideo(answers)
    return answers
  }
}
