import type { VideoSource } from '../../../contract/desk.ts'
import type { Database, Queryable } from '../../db/connection.ts'
import { BadInput } from '../../inputErrors.ts'
import type { Discogs } from '../../integrations/discogs.ts'
import type { Musicbrainz } from '../../integrations/musicbrainz.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import type { Wikidata } from '../../integrations/wikidata.ts'
import { MAX_SEARCHES_PER_DAY, type Youtube } from '../../integrations/youtube.ts'
import {
  type Ask,
  createAsk,
  markAsked,
  NoAnswer,
  readCount,
  readPages,
  runInterruptible,
  type ServiceOptions,
  wasAsked,
} from '../askServices.ts'
import { askYoutube, BAD_KEY_MESSAGE } from './askYoutube.ts'
import { assignVideo, type NamedVideo, type SongWithoutVideo, toNamedVideos } from './assignVideo.ts'
import { findDiscogsVideos } from './discogsVideos.ts'
import { findLinkedVideos } from './linkedVideos.ts'
import { lacksVideo } from './videoCandidates.ts'

export interface VideoServices {
  musicbrainz: Musicbrainz
  wikidata: Wikidata
  discogs: Discogs
  youtube: Youtube
}

export interface VideoCounts {
  /** Songs without a video that were not recently asked about, and those asked about in this run. */
  all: number
  done: number
  /** Videos that songs got, by source. */
  found: Record<VideoSource, number>
  /** Why YouTube's search stopped; null when it did not. `budget`: the day's searches are used up. */
  searchEnd: 'no-key' | 'budget' | null
  wasInterrupted: boolean
}

export interface VideoOptions extends ServiceOptions<VideoCounts> {
  /** Does not store that songs were asked about. */
  isDryRun?: boolean
}

/** The day's searches that stay reserved for operators (diagnostics-18), and quota for checks of videos. */
const RESERVED_SEARCHES = 10

export const MAX_SEARCHES = MAX_SEARCHES_PER_DAY - RESERVED_SEARCHES

/**
 * Finds videos for songs without one or with a blocked one (catalogue-7): in the links of MusicBrainz and Wikidata, at
 * Discogs, then by YouTube's search. Each song is stored at once, so an interrupted run continues where it stopped.
 * @throws BadInput when a service does not answer, or YouTube rejects the key.
 */
export async function findVideos(
  db: Database,
  services: VideoServices,
  options: VideoOptions = {},
): Promise<VideoCounts> {
  const counts: VideoCounts = {
    all: await countUnasked(db),
    done: 0,
    found: { catalogue: 0, musicbrainz: 0, wikidata: 0, discogs: 0, youtube: 0 },
    searchEnd: null,
    wasInterrupted: false,
  }
  const run: Run = { db, services, options, counts, askedSongIds: new Set(), ask: createAsk(options) }
  counts.wasInterrupted = await runInterruptible(async () => {
    await findAll(run, 'links', findLinkedVideos)
    const failure = await findAll(run, 'discogs', findDiscogsVideos).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error
      throw error
    })
    await findAll(run, 'search', search)
    if (failure) throw failure
  }, options.signal)
  return counts
}

interface Run {
  db: Database
  services: VideoServices
  options: VideoOptions
  counts: VideoCounts
  askedSongIds: Set<string>
  ask: Ask
}

/** `size`: songs per page, which a killed run loses. MusicBrainz takes a second for each, and searches may be used up. */
const STEPS = {
  links: { provider: 'video-links', size: 20 },
  discogs: { provider: 'video-discogs', size: 20 },
  search: { provider: 'video-search', size: 1 },
}

type Step = keyof typeof STEPS

/** A hash of what the search for `songs s` depends on: a changed song is asked about again. */
const searchFacts = (db: Queryable) => db`
  md5(jsonb_build_array(s.artist, s.title, s.duration_ms, s.recording_mbid, s.blocked_video_id)::text)`

/** Whether a step can ask about `songs s`, and did not recently. Only the search needs no recording. */
const isUnasked = (db: Queryable, step: Step) => db`
  (${step === 'search'} or s.recording_mbid is not null)
  and not ${wasAsked(db, STEPS[step].provider, searchFacts(db))}`

/** Songs without a video that were not recently asked about. */
const countUnasked = (db: Database) =>
  readCount(db<{ songs: number }[]>`
    select count(*)::int as songs from songs s
    where ${lacksVideo(db)}
      and (${isUnasked(db, 'links')} or ${isUnasked(db, 'discogs')} or ${isUnasked(db, 'search')})`)

/**
 * Asks about all songs. `nameVideos` returns videos by song id, without songs that it has no answer about; null when it
 * can ask no more.
 */
async function findAll(
  run: Run,
  step: Step,
  nameVideos: (run: Run, songs: SongWithoutVideo[]) => Promise<Map<string, NamedVideo[]> | null>,
): Promise<void> {
  const { db, options, counts } = run
  const pages = readPages(
    (after) => db<SongWithoutVideo[]>`
      select s.id, s.artist, s.title, s.duration_ms, coalesce(s.recording_mbid, '') as recording_mbid,
        s.blocked_video_id, coalesce(${searchFacts(db)}, '') as facts
      from songs s where ${lacksVideo(db)} and ${isUnasked(db, step)} and s.id > ${after}
      order by s.id limit ${STEPS[step].size}`,
    options.signal,
  )
  for await (const songs of pages) {
    const named = await nameVideos(run, songs)
    if (!named) return
    const checked = await check(run, [...named.values()].flat())
    const answered: SongWithoutVideo[] = []
    for (const song of songs) {
      const its = named.get(song.id)
      // Unanswered: the next run asks again.
      if (!its?.every(({ videoId }) => checked.has(videoId))) continue
      const source = await assignVideo(db, song, its, checked)
      if (source) counts.found[source] += 1
      answered.push(song)
    }
    for (const { id } of answered) run.askedSongIds.add(id)
    counts.done = run.askedSongIds.size
    if (!options.isDryRun) await markAsked(db, STEPS[step].provider, answered)
    options.onProgress?.(counts)
  }
}

/** YouTube's facts about videos; unanswered ones are absent. */
async function check({ services, ask }: Run, named: NamedVideo[]): Promise<Map<string, VideoFacts>> {
  const videoIds = [...new Set(named.map(({ videoId }) => videoId))]
  if (videoIds.length === 0) return new Map()
  return (await ask('YouTube', () => askYoutube(services.youtube, videoIds))) ?? new Map()
}

/** What YouTube's search finds, until the searches of the day are used up. */
async function search(
  { services, ask, counts }: Run,
  songs: SongWithoutVideo[],
): Promise<Map<string, NamedVideo[]> | null> {
  const named = new Map<string, NamedVideo[]>()
  for (const { id, artist, title } of songs) {
    const found = await ask('YouTube', async () => {
      const answer = await services.youtube.search(`${artist} ${title}`, { reserve: RESERVED_SEARCHES })
      return answer === 'away' ? undefined : answer
    })
    if (found === 'bad-key') throw new BadInput(BAD_KEY_MESSAGE)
    if (typeof found === 'string') {
      counts.searchEnd = found === 'quota' ? 'budget' : found
      return null
    }
    if (found)
      named.set(
        id,
        toNamedVideos(
          'youtube',
          found.map(({ videoId }) => videoId),
        ),
      )
  }
  return named
}
