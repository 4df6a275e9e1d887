import type { Database } from '../db/connection.ts'
import type { VideoFacts } from '../integrations/video.ts'
import type { Youtube } from '../integrations/youtube.ts'
import { blockVideos, clearHealth } from '../playback/health.ts'
import { askUntilAnswered, RETRY, type RetryOptions } from './askUntilAnswered.ts'
import { BadInput } from './fault.ts'

/** A song whose video cannot be embedded. */
export interface DeadVideo {
  key: string
  artist: string
  title: string
  youtubeId: string
  problem: string
}

export interface VerifyCounts {
  /** Songs with a video checked so far. */
  done: number
  all: number
  playable: number
  unplayable: number
  /** Of those that cannot be embedded, the ones found in this run. */
  newlyBlocked: number
  /** Songs that YouTube did not answer for. */
  unanswered: number
  wasInterrupted: boolean
}

export interface VerifyOptions {
  /** Reports without changing anything. */
  isDryRun?: boolean
  /** Songs per step: what one call of the Data API, or a burst of oEmbed calls, takes. */
  size: number
  signal?: AbortSignal
  onProgress?: (counts: VerifyCounts) => void
  onDead?: (dead: DeadVideo[]) => void | Promise<void>
  retry?: RetryOptions
}

/**
 * Checks the video of every song that is not retired. A song whose video cannot be embedded keeps its id and plays
 * its preview; one whose video works again plays it. Answers are cached for hours, so an interrupted run continues
 * quickly.
 * @throws BadInput when YouTube rejects the key or does not answer.
 */
export async function verifyVideos(
  db: Database,
  youtube: Youtube,
  options: VerifyOptions,
): Promise<VerifyCounts> {
  const counts: VerifyCounts = {
    done: 0,
    all: await countVideos(db),
    playable: 0,
    unplayable: 0,
    newlyBlocked: 0,
    unanswered: 0,
    wasInterrupted: false,
  }
  let after = '0'
  for (;;) {
    const songs = await db<Song[]>`
      select id, key, artist, title, youtube_id, blocked_video_id is not distinct from youtube_id as blocked
      from songs where retired_at is null and youtube_id is not null and id > ${after}
      order by id limit ${options.size}`
    if (songs.length === 0) break
    after = songs.at(-1)?.id ?? after
    try {
      await verifyBatch(db, youtube, songs, options, counts)
    } catch (error) {
      if (!options.signal?.aborted) throw error
    }
    options.onProgress?.(counts)
    if (options.signal?.aborted) {
      counts.wasInterrupted = true
      break
    }
  }
  return counts
}

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
  { isDryRun, onDead, signal, retry = RETRY }: VerifyOptions,
  counts: VerifyCounts,
): Promise<void> {
  const answers = await askUntilAnswered('YouTube', () => ask(youtube, songs), retry, signal)
  const judged = songs.flatMap((song) => {
    const facts = answers.get(song.youtubeId)
    return facts ? [{ song, facts }] : []
  })
  const dead = judged.filter(({ facts }) => !facts.embeddable)
  const alive = judged.filter(({ facts }) => facts.embeddable)
  if (!isDryRun) {
    await blockVideos(
      db,
      dead.map(({ song }) => song.youtubeId),
    )
    await clearHealth(
      db,
      alive.map(({ song }) => song.youtubeId),
    )
  }
  counts.done += songs.length
  counts.playable += alive.length
  counts.unplayable += dead.length
  counts.newlyBlocked += dead.filter(({ song }) => !song.blocked).length
  counts.unanswered += songs.length - judged.length
  await onDead?.(
    dead.map(({ song: { key, artist, title, youtubeId }, facts }) => ({
      key,
      artist,
      title,
      youtubeId,
      problem: facts.problem ?? 'It cannot be embedded.',
    })),
  )
}

/** Ignores cached answers from before listeners saw the video fail. Undefined when there is no answer. */
async function ask(youtube: Youtube, songs: Song[]): Promise<Map<string, VideoFacts> | undefined> {
  const videosOf = (blocked: boolean) =>
    songs.filter((song) => song.blocked === blocked).map(({ youtubeId }) => youtubeId)
  const known = await youtube.check(videosOf(false))
  const fresh = await youtube.check(videosOf(true), { fresh: true })
  if (known === 'bad-key' || fresh === 'bad-key') {
    throw new BadInput('YouTube rejects YOUTUBE_API_KEY: API key not valid.')
  }
  const facts = new Map<string, VideoFacts>()
  for (const [id, answer] of [...known, ...fresh]) if (!('error' in answer)) facts.set(id, answer)
  return facts.size > 0 ? facts : undefined
}

async function countVideos(db: Database): Promise<number> {
  const [row] = await db<{ songs: number }[]>`
    select count(*)::int as songs from songs where retired_at is null and youtube_id is not null`
  return row?.songs ?? 0
}
