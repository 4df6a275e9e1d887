import type { Database, Queryable } from '../db/connection.ts'
import type { Youtube } from '../integrations/youtube.ts'
import { MAX_LISTED_VIDEOS } from '../integrations/youtubeData.ts'
import { blockVideos, unblockVideos } from '../playback/health.ts'
import { NoAnswer, readCount, readPages, runInterruptible, type ServiceOptions } from './askServices.ts'
import { type Command, formatCount, formatCounted } from './command.ts'
import { verifyAudio } from './verifyAudio.ts'
import { createVideoAsk, type VideoAsk } from './videos/askYoutube.ts'
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
  // The server believes no dead videos before one plays; a person may.
  const ask = createVideoAsk(db, youtube, { ...options, isTrusted: !options.onlyDue })
  const run: Run = { db, options, counts, ask }
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
  options: VerifyOptions
  counts: VerifyCounts
  ask: VideoAsk
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
  const answers = await run.ask(songs)
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
    const known = all.filter(({ youtubeId }) => youtubeId === null || answers.has(youtubeId))
    counts.replaced += await replaceVideos(
      run,
      known.map(({ id }) => id),
    )
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

/** Gives those of the songs that lack a video the first that waits for them and plays. Returns how many got one. */
async function replaceVideos(run: Run, songIds: string[]): Promise<number> {
  let replaced = 0
  const checkedIds: string[] = []
  for (let lacking = songIds; lacking.length > 0; ) {
    const next = await readNextVideos(run.db, lacking, checkedIds)
    if (next.length === 0) break
    checkedIds.push(...next.map(({ videoId }) => videoId))
    const answers = await run.ask(next.map(({ videoId }) => ({ youtubeId: videoId, blocked: false })))
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
