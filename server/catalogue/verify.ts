import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Queryable } from '../db/connection.ts'
import { BadInput } from '../inputErrors.ts'
import type { VideoFacts } from '../integrations/video.ts'
import type { Youtube } from '../integrations/youtube.ts'
import { MAX_LISTED_VIDEOS } from '../integrations/youtubeData.ts'
import { blockVideos, unblockVideos } from '../playback/health.ts'
import {
  type Ask,
  createAsk,
  NoAnswer,
  readCount,
  readPages,
  runInterruptible,
  type ServiceOptions,
} from './askServices.ts'
import { type Command, formatCount, formatCounted } from './command.ts'
import { verifyAudio } from './verifyAudio.ts'
import {
  CHECK_AGAIN_DAYS,
  claimVideo,
  isDead,
  isWaiting,
  lacksVideo,
  readNextVideos,
  storeChecked,
  storeRefusals,
  toRefusal,
} from './videos/videoCandidates.ts'

/** Songs per step without a key, when YouTube is asked about each separately. */
const SONGS_PER_STEP_WITHOUT_KEY = 20

/** The server decides nothing when so many videos are dead and none plays. */
const MAX_DEAD_AT_FIRST = 20

const MAX_PRINTED = 10

/** `verify`. Succeeds when every video was checked, however many are dead. */
export const verify: Command<VerifyCounts, DeadVideo[]> = {
  prepare: () => [],
  async run({ db, env, services, signal, isDryRun, input, print, writeReport }, onProgress) {
    const audio = await verifyAudio(db, services.archive, { isDryRun, signal })
    if (audio.done + audio.unanswered > 0)
      print(
        `Checked ${formatCounted(audio.done, 'whole recording')}: ${formatCount(audio.dead)} dead, ` +
          `${formatCount(audio.unanswered)} more without an answer.`,
      )
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
    ...(counts.replaced > 0 ? [`${formatCount(counts.replaced)} songs got another video.`] : []),
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
  /** Songs whose dead video gave way to another one. */
  replaced: 0,
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
  /** Only songs that are due (catalogue-19). */
  onlyDue?: boolean
  /** Milliseconds from one step to the next. */
  interval?: number
  onDead?: (dead: DeadVideo[]) => Promise<void>
}

/**
 * Checks the videos of songs that are not retired. A song whose video is dead gets the next one that waits for it and
 * plays (catalogue-20). Without one it keeps its id but plays its preview, until the video works again. Each step is stored
 * at once, and answers are cached for hours, so an interrupted run continues quickly.
 * @throws BadInput when YouTube rejects the key or does not answer.
 */
export async function verifyVideos(
  db: Database,
  youtube: Youtube,
  options: VerifyOptions,
): Promise<VerifyCounts> {
  const wanted = options.onlyDue ? isDue(db) : hasVideo(db)
  const counts = {
    ...noCounts(),
    all: await readCount(db<{ songs: number }[]>`select count(*)::int as songs from songs s where ${wanted}`),
  }
  const run: Run = {
    db,
    youtube,
    options,
    counts,
    ask: createAsk(options),
    waitForTurn: createTurns(options),
    isTrusted: !options.onlyDue,
  }
  const pages = readPages(
    (after) => db<Song[]>`
      select id, key, artist, title, youtube_id, blocked_video_id is not distinct from youtube_id as blocked,
        exists (select from video_candidates d
                where d.song_id = s.id and d.video_id = s.youtube_id and ${isDead(db)}) as was_dead
      from songs s where ${wanted} and id > ${after}
      order by id limit ${options.size}`,
    options.signal,
  )
  for await (const songs of pages) {
    await runInterruptible(() => verifyBatch(run, songs), options.signal)
    options.onProgress?.(counts)
    counts.wasInterrupted = options.signal?.aborted ?? false
  }
  if (counts.done > 0 && counts.unanswered === counts.done) throw new NoAnswer('YouTube')
  return counts
}

const hasVideo = (db: Queryable) => db`s.retired_at is null and s.youtube_id is not null`

/** Never checked, not for a while, or without a video that plays while another one waits. */
const isDue = (db: Queryable) => db`
  (${hasVideo(db)} and (s.checked_video_id is distinct from s.youtube_id
      or s.checked_at < now() - ${CHECK_AGAIN_DAYS} * interval '1 day')
    or ${lacksVideo(db)}
      and exists (select from video_candidates c where c.song_id = s.id and ${isWaiting(db)}))`

interface Run {
  db: Database
  youtube: Youtube
  options: VerifyOptions
  counts: VerifyCounts
  ask: Ask
  waitForTurn: () => Promise<void>
  /** Whether to believe that videos are dead: a person asks, or one plays. */
  isTrusted: boolean
}

/** Returns a function that waits until `interval` has passed since its last call. */
function createTurns({ interval = 0, signal }: VerifyOptions): Run['waitForTurn'] {
  let next = 0
  return async () => {
    const pause = next - Date.now()
    if (pause > 0) await wait(pause, undefined, { signal })
    next = Date.now() + interval
  }
}

interface Song {
  id: string
  key: string
  artist: string
  title: string
  /** Null for one that only waits for a video. */
  youtubeId: string | null
  blocked: boolean
  /** A check found it dead; else players reported it. */
  wasDead: boolean
}

async function verifyBatch(run: Run, all: Song[]): Promise<void> {
  const { db, options, counts } = run
  const songs = all.flatMap(({ youtubeId, ...song }) => (youtubeId === null ? [] : [{ ...song, youtubeId }]))
  const answers = await ask(run, songs)
  const answered = songs.flatMap((song) => {
    const facts = answers.get(song.youtubeId)
    return facts ? [{ song, facts }] : []
  })
  const dead = answered.filter(({ facts }) => !facts.embeddable)
  const alive = answered.filter(({ facts }) => facts.embeddable)
  const idsOf = (some: typeof answered) => some.map(({ song }) => song.youtubeId)
  if (!options.isDryRun) {
    // oEmbed sees less than players do, so a check by itself takes back only what a check said.
    const revived = options.onlyDue ? alive.filter(({ song }) => song.wasDead) : alive
    await blockVideos(db, idsOf(dead))
    await unblockVideos(db, idsOf(revived))
    await storeRefusals(
      db,
      dead.map(({ song, facts }) => ({ songId: song.id, videoId: song.youtubeId, ...toRefusal(facts) })),
    )
    await storeChecked(db, idsOf(answered))
    const lacking = answered.filter(
      ({ song, facts }) => !facts.embeddable || (options.onlyDue && song.blocked && !song.wasDead),
    )
    counts.replaced += await replaceVideos(run, [
      ...lacking.map(({ song }) => song.id),
      ...all.filter(({ youtubeId }) => youtubeId === null).map(({ id }) => id),
    ])
  }
  counts.done += all.length
  counts.playable += alive.length
  counts.unplayable += dead.length
  counts.newlyBlocked += dead.filter(({ song }) => !song.blocked).length
  counts.unanswered += songs.length - answered.length
  await options.onDead?.(
    dead.map(({ song, facts }) => ({ ...song, problem: facts.problem ?? 'It cannot be embedded.' })),
  )
}

/** Gives songs that lack a video the first that waits for them and plays. Returns how many got one. */
async function replaceVideos(run: Run, songIds: string[]): Promise<number> {
  let replaced = 0
  const checkedIds: string[] = []
  for (let lacking = songIds; lacking.length > 0; ) {
    const next = await readNextVideos(run.db, lacking, checkedIds)
    if (next.length === 0) break
    checkedIds.push(...next.map(({ videoId }) => videoId))
    const answers = await ask(
      run,
      next.map(({ videoId }) => ({ youtubeId: videoId, blocked: false })),
    )
    // A song whose video is not answered waits for the next run.
    lacking = []
    for (const { songId, ...candidate } of next) {
      const facts = answers.get(candidate.videoId)
      if (!facts) continue
      const { refusal, detail } = toRefusal(facts)
      if (refusal) {
        await storeRefusals(run.db, [{ songId, videoId: candidate.videoId, refusal, detail }])
        lacking.push(songId)
      } else if (await claimVideo(run.db, songId, candidate)) replaced += 1
    }
    await storeChecked(run.db, [...answers.keys()])
  }
  return replaced
}

interface VideoToCheck {
  youtubeId: string
  blocked: boolean
}

async function ask(run: Run, songs: VideoToCheck[]): Promise<Map<string, VideoFacts>> {
  const answers = await askOnce(run, songs)
  if (!run.isTrusted && answers.size > 0) await requirePlayingVideo(run, answers)
  return answers
}

/** Empty without an answer. */
async function askOnce(run: Run, songs: VideoToCheck[]): Promise<Map<string, VideoFacts>> {
  if (songs.length === 0) return new Map()
  const answers = await run.ask('YouTube', async () => {
    await run.waitForTurn()
    return askYoutube(run.youtube, songs)
  })
  return answers ?? new Map()
}

/**
 * A proxy or a wrong address may call every video dead. When a run's first videos are, others are asked about, those
 * that played last before the rest.
 * @throws NoAnswer when none of them plays.
 */
async function requirePlayingVideo(run: Run, first: Map<string, VideoFacts>): Promise<void> {
  const { db, options } = run
  const others = await db<VideoToCheck[]>`
    select youtube_id, true as blocked from songs s
    where ${hasVideo(db)} and s.youtube_id is distinct from s.blocked_video_id
      and s.youtube_id <> all(${[...first.keys()]})
    order by (s.checked_video_id is not distinct from s.youtube_id) desc, s.checked_at desc, s.id
    limit ${Math.max(0, MAX_DEAD_AT_FIRST - first.size)}`
  let answers = first
  for (let offset = 0; ; offset += options.size) {
    run.isTrusted = [...answers.values()].some(({ embeddable }) => embeddable)
    if (run.isTrusted) return
    if (offset >= others.length) break
    answers = await askOnce(run, others.slice(offset, offset + options.size))
  }
  if (first.size + others.length >= MAX_DEAD_AT_FIRST) throw new NoAnswer('YouTube')
}

/** Ignores cached answers about blocked videos, which are older than the failures. Undefined without any answer. */
async function askYoutube(
  youtube: Youtube,
  songs: VideoToCheck[],
): Promise<Map<string, VideoFacts> | undefined> {
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
