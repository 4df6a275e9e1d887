import type { Database, Queryable } from '../db/connection.ts'
import { BadInput } from '../inputErrors.ts'
import type { VideoFacts } from '../integrations/video.ts'
import type { Youtube } from '../integrations/youtube.ts'
import { MAX_LISTED_VIDEOS } from '../integrations/youtubeData.ts'
import { blockVideos, unblockVideos } from '../playback/health.ts'
import {
  askUntilAnswered,
  readCount,
  readPages,
  runInterruptible,
  type ServiceOptions,
} from './askServices.ts'
import { type Command, formatCount } from './command.ts'

/** Songs per step without a key, when YouTube is asked about each separately. */
const SONGS_PER_STEP_WITHOUT_KEY = 20

const MAX_PRINTED = 10

/** `verify`. Succeeds when every video was checked, however many are dead. */
export const verify: Command<VerifyCounts, DeadVideo[]> = {
  prepare: () => [],
  run({ db, env, services, signal, isDryRun, input, writeReport }, onProgress) {
    return verifyVideos(db, services.youtube, {
      isDryRun,
      size: env.YOUTUBE_API_KEY ? MAX_LISTED_VIDEOS : SONGS_PER_STEP_WITHOUT_KEY,
      signal,
      onProgress,
      async onDead(dead) {
        input.push(...dead.slice(0, MAX_PRINTED - input.length))
        await writeReport(dead.map((one) => [one.key, one.artist, one.title, one.youtubeId, one.problem]))
      },
    })
  },
  progress: ({ all, done, unplayable }) => ({
    share: all > 0 ? done / all : null,
    text: `${done} of ${all}, ${unplayable} unplayable`,
  }),
  summary: (counts, { isDryRun, input }, time) => [
    `${counts.wasInterrupted ? 'Stopped after' : 'Verified'} ${formatCount(counts.done)} of ${formatCount(counts.all)} ` +
      `videos in ${time.text}: ${formatCount(counts.playable)} playable, ` +
      `${formatCount(counts.unplayable)} unplayable, ${formatCount(counts.unanswered)} without an answer from YouTube.`,
    ...input.map(({ key, youtubeId, problem }) => `  ${key} (${youtubeId}): ${problem}`),
    ...(counts.unplayable > MAX_PRINTED
      ? [`  and ${formatCount(counts.unplayable - MAX_PRINTED)} more.`]
      : []),
    ...(counts.newlyBlocked > 0
      ? [
          `${formatCount(counts.newlyBlocked)} songs ${isDryRun ? 'would play' : 'now play'} their previews ` +
            'until their videos are verified or replaced.',
        ]
      : []),
  ],
  report: { of: 'unplayable videos', columns: ['key', 'artist', 'title', 'youtube_id', 'problem'] },
}

interface DeadVideo {
  key: string
  artist: string
  title: string
  youtubeId: string
  problem: string
}

const noCounts = () => ({
  done: 0,
  all: 0,
  playable: 0,
  unplayable: 0,
  /** Unplayable ones that were not blocked before. */
  newlyBlocked: 0,
  /** Songs without an answer from YouTube. */
  unanswered: 0,
  wasInterrupted: false,
})

type VerifyCounts = ReturnType<typeof noCounts>

interface VerifyOptions extends ServiceOptions<VerifyCounts> {
  /** Reports without changing anything. */
  isDryRun?: boolean
  /** Songs per step: one call of the Data API, or a burst of oEmbed calls. */
  size: number
  onDead?: (dead: DeadVideo[]) => Promise<void>
}

/**
 * Checks the video of every song that is not retired. A song whose video cannot be embedded keeps its id but plays
 * its preview, until the video works again. Answers are cached for hours, so an interrupted run continues quickly.
 * @throws BadInput when YouTube rejects the key or does not answer.
 */
export async function verifyVideos(
  db: Database,
  youtube: Youtube,
  options: VerifyOptions,
): Promise<VerifyCounts> {
  const counts = {
    ...noCounts(),
    all: await readCount(
      db<{ songs: number }[]>`select count(*)::int as songs from songs s where ${hasVideo(db)}`,
    ),
  }
  const pages = readPages(
    (after) => db<Song[]>`
      select id, key, artist, title, youtube_id, blocked_video_id is not distinct from youtube_id as blocked
      from songs s where ${hasVideo(db)} and id > ${after}
      order by id limit ${options.size}`,
    options.signal,
  )
  for await (const songs of pages) {
    await runInterruptible(() => verifyBatch(db, youtube, songs, options, counts), options.signal)
    options.onProgress?.(counts)
    counts.wasInterrupted = options.signal?.aborted ?? false
  }
  return counts
}

const hasVideo = (db: Queryable) => db`s.retired_at is null and s.youtube_id is not null`

interface Song {
  id: string
  key: string
  artist: string
  title: string
  youtubeId: string
  blocked: boolean
}

async function verifyBatch(
  db: Database,
  youtube: Youtube,
  songs: Song[],
  options: VerifyOptions,
  counts: VerifyCounts,
): Promise<void> {
  const answers = await askUntilAnswered('YouTube', () => askYoutube(youtube, songs), options)
  const answered = songs.flatMap((song) => {
    const facts = answers.get(song.youtubeId)
    return facts ? [{ song, facts }] : []
  })
  const dead = answered.filter(({ facts }) => !facts.embeddable)
  const alive = answered.filter(({ facts }) => facts.embeddable)
  const idsOf = (some: typeof answered) => some.map(({ song }) => song.youtubeId)
  if (!options.isDryRun) {
    await blockVideos(db, idsOf(dead))
    await unblockVideos(db, idsOf(alive))
  }
  counts.done += songs.length
  counts.playable += alive.length
  counts.unplayable += dead.length
  counts.newlyBlocked += dead.filter(({ song }) => !song.blocked).length
  counts.unanswered += songs.length - answered.length
  await options.onDead?.(
    dead.map(({ song, facts }) => ({ ...song, problem: facts.problem ?? 'It cannot be embedded.' })),
  )
}

/** Ignores cached answers about blocked videos, which are older than the failures. Undefined without any answer. */
async function askYoutube(youtube: Youtube, songs: Song[]): Promise<Map<string, VideoFacts> | undefined> {
  const videosOf = (blocked: boolean) =>
    songs.filter((song) => song.blocked === blocked).map(({ youtubeId }) => youtubeId)
  const cached = await youtube.check(videosOf(false))
  const fresh = await youtube.check(videosOf(true), { fresh: true })
  if (cached === 'bad-key' || fresh === 'bad-key') throw new BadInput(BAD_KEY_MESSAGE)
  const facts = new Map<string, VideoFacts>()
  for (const [id, answer] of [...cached, ...fresh]) if (!('error' in answer)) facts.set(id, answer)
  return facts.size > 0 ? facts : undefined
}

export const BAD_KEY_MESSAGE = 'YouTube rejects YOUTUBE_API_KEY: API key not valid.'
