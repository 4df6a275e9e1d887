import type { VideoSource } from '../../../contract/desk.ts'
import type { Database, Queryable } from '../../db/connection.ts'
import { BadInput } from '../../inputErrors.ts'
import {
  type Discogs,
  type DiscogsPage,
  type DiscogsVideo,
  parseDiscogsAddress,
} from '../../integrations/discogs.ts'
import type { Musicbrainz, Release } from '../../integrations/musicbrainz.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import type { Wikidata } from '../../integrations/wikidata.ts'
import { MAX_SEARCHES_PER_DAY, type Youtube } from '../../integrations/youtube.ts'
import { parseSongAddress } from '../../suggestions/songAddress.ts'
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
import { BAD_KEY_MESSAGE } from '../verify.ts'
import { assignVideo, type NamedVideo, type SongWithoutVideo } from './assignVideo.ts'
import { judgeVideo } from './judgeVideo.ts'
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

/** Songs per page. Each takes MusicBrainz about a second; a killed run loses a page. */
const PAGE_SIZE = 20

/** Music videos to follow per recording, one call each. */
const MAX_MUSIC_VIDEOS = 2

/** Release groups of a recording whose links are looked up, one call each. */
const MAX_GROUPS = 2

/** Videos of a release that are checked for a song. A master may have thousands. */
const MAX_DISCOGS_VIDEOS = 5

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
    await followAll(run, 'links', followLinks)
    const failure = await followAll(run, 'discogs', followDiscogs).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error
      throw error
    })
    counts.searchEnd = await searchAll(run)
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

const VIDEO_PROVIDERS = { links: 'video-links', discogs: 'video-discogs', search: 'video-search' }

type Step = keyof typeof VIDEO_PROVIDERS

/** A hash of what the search for `songs s` depends on: a changed song is asked about again. */
const searchFacts = (db: Queryable) => db`
  md5(jsonb_build_array(s.artist, s.title, s.duration_ms, s.recording_mbid, s.blocked_video_id)::text)`

const songColumns = (db: Queryable) => db`
  s.id, s.artist, s.title, s.duration_ms, s.recording_mbid, s.blocked_video_id, coalesce(${searchFacts(db)}, '') as facts`

/** Songs without a video that were not recently asked about. */
const countUnasked = (db: Database) =>
  readCount(db<{ songs: number }[]>`
    select count(*)::int as songs from songs s
    where ${lacksVideo(db)} and (not ${wasAsked(db, VIDEO_PROVIDERS.search, searchFacts(db))}
      or s.recording_mbid is not null and not (${wasAsked(db, VIDEO_PROVIDERS.links, searchFacts(db))}
        and ${wasAsked(db, VIDEO_PROVIDERS.discogs, searchFacts(db))}))`)

interface LinkedSong extends SongWithoutVideo {
  recordingMbid: string
}

/** Asks about songs whose recording is known. `nameVideos` returns them by song id; unanswered ones are absent. */
async function followAll(
  run: Run,
  step: 'links' | 'discogs',
  nameVideos: (run: Run, songs: LinkedSong[]) => Promise<Map<string, NamedVideo[]>>,
): Promise<void> {
  const { db, options, counts } = run
  const pages = readPages(
    (after) => db<LinkedSong[]>`
      select ${songColumns(db)} from songs s
      where ${lacksVideo(db)} and s.recording_mbid is not null and not ${wasAsked(db, VIDEO_PROVIDERS[step], searchFacts(db))} and s.id > ${after}
      order by s.id limit ${PAGE_SIZE}`,
    options.signal,
  )
  for await (const songs of pages) {
    const named = await nameVideos(run, songs)
    const checked = await check(run, [...named.values()].flat())
    const answered: SongWithoutVideo[] = []
    for (const song of songs) {
      const its = named.get(song.id)
      // Unanswered: the next run asks again.
      if (!its?.every(({ videoId }) => checked.has(videoId))) continue
      await assign(run, song, its, checked)
      answered.push(song)
    }
    await markSongsAsked(run, step, answered)
    options.onProgress?.(counts)
  }
}

/** The videos that MusicBrainz and Wikidata link with each song's recording. */
async function followLinks(run: Run, songs: LinkedSong[]): Promise<Map<string, NamedVideo[]>> {
  const { services, ask } = run
  const linked = new Map<string, { videoIds: string[]; works: string[] }>()
  for (const { id, recordingMbid } of songs) {
    const links = await askLinks(run, recordingMbid)
    if (links) linked.set(id, links)
  }
  const linkedSongs = songs.filter(({ id }) => linked.has(id))
  const items = await ask('Wikidata', () =>
    services.wikidata.videos({
      recordings: linkedSongs.map(({ recordingMbid }) => recordingMbid),
      works: [...new Set([...linked.values()].flatMap(({ works }) => works))],
    }),
  )
  if (!items) return new Map()
  return new Map(
    linkedSongs.map(({ id, recordingMbid }) => {
      const { videoIds, works } = linked.get(id) ?? { videoIds: [], works: [] }
      const fromItems = [recordingMbid, ...works].flatMap((mbid) => items.videos.get(mbid) ?? [])
      return [
        id,
        [
          ...toNamedVideos('musicbrainz', videoIds),
          ...toNamedVideos('wikidata', fromItems.flatMap(videoIdOf)),
        ],
      ]
    }),
  )
}

/** The videos at Discogs of a release with each song's recording. */
async function followDiscogs(run: Run, songs: LinkedSong[]): Promise<Map<string, NamedVideo[]>> {
  const found = await run.ask('MusicBrainz', () =>
    run.services.musicbrainz.find(songs.map(({ recordingMbid }) => recordingMbid)),
  )
  const releases = new Map(found?.recordings.map(({ mbid, releases }) => [mbid, releases]))
  const named = new Map<string, NamedVideo[]>()
  for (const song of found ? songs : []) {
    const page = await findDiscogsPage(run, releases.get(song.recordingMbid) ?? [])
    const videos = page && (await askDiscogs(run, page))
    if (page === null || videos) named.set(song.id, pickVideos(song, videos ?? []))
  }
  return named
}

/** The master of a recording's first release groups, else its first release; null without, undefined without an answer. */
async function findDiscogsPage(
  { services, ask }: Run,
  releases: Release[],
): Promise<DiscogsPage | null | undefined> {
  const rank = ({ isOfficial, isVarious, secondaryTypes }: Release) =>
    Number(!isOfficial) + 2 * Number(secondaryTypes.length > 0) + 4 * Number(isVarious)
  const sorted = [...releases].sort(
    (a, b) => rank(a) - rank(b) || (a.date ?? '9999').localeCompare(b.date ?? '9999'),
  )
  const groups = [...new Set(sorted.flatMap(({ groupMbid }) => groupMbid ?? []))].slice(0, MAX_GROUPS)
  const entities = [
    ...groups.map((mbid) => ['release-group', mbid] as const),
    ...sorted.slice(0, 1).map(({ mbid }) => ['release', mbid] as const),
  ]
  for (const [of, mbid] of entities) {
    const answer = await ask('MusicBrainz', () => services.musicbrainz.links(mbid, of))
    if (!answer) return undefined
    const [page] = answer.links.addresses.flatMap((address) => parseDiscogsAddress(address) ?? [])
    if (page) return page
  }
  return null
}

async function askDiscogs({ services, ask }: Run, page: DiscogsPage): Promise<DiscogsVideo[] | undefined> {
  const answer = await ask('Discogs', () => services.discogs.videos(page))
  if (answer === 'bad-token') throw new BadInput('Discogs rejects DISCOGS_TOKEN.')
  return answer?.videos
}

/** The best of a release's videos that may be the song's, whatever their channel; first those that qualify. */
function pickVideos(song: LinkedSong, videos: DiscogsVideo[]): NamedVideo[] {
  return videos
    .flatMap(({ address, title, durationMs, embeddable }) => {
      const facts = { title, durationMs, embeddable, exists: true, isRegional: false, problem: null }
      const { refusal, score } = judgeVideo(song, 'discogs', { ...facts, channel: song.artist })
      if (refusal === 'other song' || refusal === 'other version' || refusal === 'unplayable') return []
      return videoIdOf(address).map((videoId) => ({
        videoId,
        durationMs,
        score,
        isDoubtful: refusal !== null,
      }))
    })
    .sort((a, b) => Number(a.isDoubtful) - Number(b.isDoubtful) || b.score - a.score)
    .slice(0, MAX_DISCOGS_VIDEOS)
    .map(({ videoId, durationMs }) => ({ videoId, durationMs, source: 'discogs' }))
}

const toNamedVideos = (source: VideoSource, videoIds: string[]): NamedVideo[] =>
  videoIds.map((videoId) => ({ videoId, source }))

/** The videos of a recording and of its music videos, and its works; undefined without an answer. */
async function askLinks(
  { services, ask }: Run,
  mbid: string,
): Promise<{ videoIds: string[]; works: string[] } | undefined> {
  const linksOf = async (recording: string) =>
    (await ask('MusicBrainz', () => services.musicbrainz.links(recording)))?.links
  const own = await linksOf(mbid)
  if (!own) return undefined
  const addresses = [...own.addresses]
  for (const musicVideo of own.musicVideos.slice(0, MAX_MUSIC_VIDEOS)) {
    const its = await linksOf(musicVideo)
    if (!its) return undefined
    addresses.push(...its.addresses)
  }
  return { videoIds: addresses.flatMap(videoIdOf), works: own.works }
}

async function assign(
  { db, counts }: Run,
  song: SongWithoutVideo,
  named: NamedVideo[],
  checked: Map<string, VideoFacts>,
): Promise<void> {
  const source = await assignVideo(db, song, named, checked)
  if (source) counts.found[source] += 1
}

async function markSongsAsked(run: Run, step: Step, songs: SongWithoutVideo[]): Promise<void> {
  for (const { id } of songs) run.askedSongIds.add(id)
  run.counts.done = run.askedSongIds.size
  if (!run.options.isDryRun) await markAsked(run.db, VIDEO_PROVIDERS[step], songs)
}

/** YouTube's facts about videos; unanswered ones are absent. */
async function check({ services, ask }: Run, named: NamedVideo[]): Promise<Map<string, VideoFacts>> {
  const videoIds = [...new Set(named.map(({ videoId }) => videoId))]
  const facts = new Map<string, VideoFacts>()
  if (videoIds.length === 0) return facts
  const answer = await ask('YouTube', async () => {
    const answers = await services.youtube.check(videoIds)
    if (answers === 'bad-key') return answers
    for (const [id, one] of answers) if (!('error' in one)) facts.set(id, one)
    // A broken answer about one video must not stop the others.
    return facts.size > 0 ? facts : undefined
  })
  if (answer === 'bad-key') throw new BadInput(BAD_KEY_MESSAGE)
  return facts
}

/** Searches YouTube for songs still without a video. Returns why it stopped. */
async function searchAll(run: Run): Promise<VideoCounts['searchEnd']> {
  const { db, options, counts } = run
  const pages = readPages(
    (after) => db<SongWithoutVideo[]>`
      select ${songColumns(db)} from songs s
      where ${lacksVideo(db)} and not ${wasAsked(db, VIDEO_PROVIDERS.search, searchFacts(db))} and s.id > ${after}
      order by s.id limit ${PAGE_SIZE}`,
    options.signal,
  )
  for await (const songs of pages) {
    for (const song of songs) {
      const named = await search(run, song)
      if (named === 'no-key' || named === 'budget') return named
      const checked = await check(run, named ?? [])
      // Unanswered: the next run asks again.
      if (!named?.every(({ videoId }) => checked.has(videoId))) continue
      await assign(run, song, named, checked)
      await markSongsAsked(run, 'search', [song])
      options.onProgress?.(counts)
    }
  }
  return null
}

async function search(
  { services, ask }: Run,
  { artist, title }: SongWithoutVideo,
): Promise<NamedVideo[] | 'no-key' | 'budget' | undefined> {
  const found = await ask('YouTube', async () => {
    const answer = await services.youtube.search(`${artist} ${title}`, { reserve: RESERVED_SEARCHES })
    return answer === 'away' ? undefined : answer
  })
  if (found === 'bad-key') throw new BadInput(BAD_KEY_MESSAGE)
  if (found === 'quota') return 'budget'
  if (found === undefined || found === 'no-key' || found === 'budget') return found
  return toNamedVideos(
    'youtube',
    found.map(({ videoId }) => videoId),
  )
}

/** The video id in a YouTube URL or id, as a list of at most one. */
export function videoIdOf(text: string): string[] {
  if (/^[\w-]{11}$/.test(text)) return [text]
  const read = parseSongAddress(text)
  return 'ids' in read && read.ids.youtubeId ? [read.ids.youtubeId] : []
}
