import type { Logger } from 'pino'
import { z } from 'zod'
import { SONG_ID_PATTERNS } from '../../contract/shapes.ts'
import { Line } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { VERSION } from '../packagePath.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse, type ServiceRules } from './service.ts'

/** An id of MusicBrainz, as it writes them. */
export const MBID = SONG_ID_PATTERNS.recordingMbid

/** An ISRC without hyphens: country, registrant, year and number. */
export const ISRC = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/

/** Names this installation and how to reach its operator, as MusicBrainz and ListenBrainz ask for. */
export const userAgent = ({ CONTACT_EMAIL, publicUrl }: Pick<Env, 'CONTACT_EMAIL' | 'publicUrl'>): string =>
  `BangerOrBust/${VERSION} ( ${CONTACT_EMAIL ?? publicUrl} )`

export interface Recording {
  mbid: string
  title: string
  /** Distinguishes it from others of the same title, such as 'live, 1994-04-12: Paris'. */
  disambiguation: string
  /** The credited artists, as on the release. */
  artist: string
  /** The first credited artist; two artists of one name have different ids. */
  leadArtist: { mbid: string; aliases: string[] }
  lengthMs: number | null
  isVideo: boolean
  isrcs: string[]
  /** A year, or a date that begins with one. */
  firstReleased: string | null
  releases: Release[]
  /** Tags with more votes for than against, in lower case. */
  tags: string[]
  /** Those of them with the most votes. */
  strongestTags: string[]
}

export interface Release {
  mbid: string
  /** The release group. */
  groupMbid: string | null
  isOfficial: boolean
  /** Whether its artist is 'Various Artists'. */
  isVarious: boolean
  /** A year, or a date that begins with one. */
  date: string | null
  primaryType: string | null
  secondaryTypes: string[]
}

export interface RecordingLinks {
  /** Addresses where it can be heard or seen. */
  addresses: string[]
  /** Its music videos, which are recordings of their own. */
  musicVideos: string[]
  /** The works that it performs. */
  works: string[]
}

/** Failures are values. */
export type RecordingsAnswer = { recordings: Recording[] } | { error: string }

interface RecordingPage {
  recordings: Recording[]
  pages: number
}

export interface Musicbrainz {
  /** The recordings with these ids, at most MAX_IDS_PER_QUERY. Unknown ones are absent. */
  find(mbids: readonly string[]): Promise<RecordingsAnswer>
  /** All recordings with one of these ISRCs, at most MAX_IDS_PER_QUERY of them. */
  findByIsrcs(isrcs: readonly string[]): Promise<RecordingsAnswer>
  /** The recordings that resemble a song most. */
  search(artist: string, title: string): Promise<RecordingsAnswer>
  /** A page, from 0 on, of the recordings with a tag like this one, and the number of pages. */
  findByTag(tag: string, page: number): Promise<RecordingPage | { error: string }>
  /** The names of all genres: those tags that MusicBrainz's editors agree on. */
  genres(): Promise<{ names: string[] } | { error: string }>
  /** The links of a recording, or the addresses of a release or release group; none when it was removed. */
  links(
    mbid: string,
    of?: 'recording' | 'release-group' | 'release',
  ): Promise<{ links: RecordingLinks } | { error: string }>
}

/** Ids in one query. A popular recording is on some hundred releases, each of a kilobyte. */
export const MAX_IDS_PER_QUERY = 25

/** Recordings per page of `findByTag`: the maximum of a search. */
const PAGE_SIZE = 100

/** Milliseconds between two requests; one a second is allowed: https://musicbrainz.org/doc/MusicBrainz_API/Rate_Limiting */
export const MUSICBRAINZ_INTERVAL = 1100

const MUSICBRAINZ_HOST = 'musicbrainz.org'

/** Whether the rate limit applies. */
export const isPublicMusicbrainz = ({ MUSICBRAINZ_URL }: Pick<Env, 'MUSICBRAINZ_URL'>): boolean =>
  new URL(MUSICBRAINZ_URL).hostname === MUSICBRAINZ_HOST

/**
 * Every request is a search, because that returns artists, lengths, ISRCs and releases of many recordings at once:
 * https://musicbrainz.org/doc/MusicBrainz_API/Search
 */
export function createMusicbrainz(env: Env, log: Logger, db: Queryable): Musicbrainz {
  const rules: ServiceRules = {
    name: 'MusicBrainz',
    timeout: 20_000,
    totalTimeout: 60_000,
    throttle: throttleFor(env.MUSICBRAINZ_URL, MUSICBRAINZ_HOST, {
      limit: 1,
      interval: MUSICBRAINZ_INTERVAL,
    }),
    bodyLimit: 16_000_000,
    pauseStatuses: [503],
    isPatient: true,
  }
  const service = createService(log, db, rules)
  const textService = createService(log, db, { ...rules, isBinary: true })
  const headers = { Accept: 'application/json', 'User-Agent': userAgent(env) }

  async function ask(
    query: string,
    limit = PAGE_SIZE,
    offset = 0,
  ): Promise<RecordingPage | { error: string }> {
    const url = new URL(`${env.MUSICBRAINZ_URL}/ws/2/recording`)
    const numbers = { limit: String(limit), offset: String(offset) }
    url.search = new URLSearchParams({ query, ...numbers, fmt: 'json' }).toString()
    const reply = await service.ask(url, readRecordings, { headers })
    return 'value' in reply ? reply.value : { error: reply.failure }
  }

  return {
    find: (mbids) => ask(`rid:(${mbids.join(' OR ')})`),
    findByIsrcs: (isrcs) => ask(`isrc:(${isrcs.join(' OR ')})`),
    search: (artist, title) =>
      ask(`recording:(${escapeLucene(title)}) AND artist:(${escapeLucene(artist)})`, 25),
    findByTag: (tag, page) => ask(`tag:"${tag.replace(/[\\"]/g, '\\$&')}"`, PAGE_SIZE, page * PAGE_SIZE),
    async genres() {
      const url = new URL(`${env.MUSICBRAINZ_URL}/ws/2/genre/all?fmt=txt`)
      const reply = await textService.ask(url, readGenres, { headers: { ...headers, Accept: 'text/plain' } })
      return 'value' in reply ? { names: reply.value } : { error: reply.failure }
    },
    async links(mbid, of = 'recording') {
      const url = new URL(`${env.MUSICBRAINZ_URL}/ws/2/${of}/${mbid}`)
      const inc = of === 'recording' ? 'url-rels recording-rels work-rels' : 'url-rels'
      url.search = new URLSearchParams({ inc, fmt: 'json' }).toString()
      const reply = await service.ask(url, readLinks, { headers })
      return 'value' in reply ? { links: reply.value } : { error: reply.failure }
    },
  }
}

/** Lucene's special characters are escaped; its operators are upper-case words. */
const escapeLucene = (text: string) => text.toLowerCase().replace(/[+\-!(){}[\]^"~*?:\\/&|]/g, '\\$&')

function readRecordings({ status, body }: ServiceResponse): RecordingPage {
  // A title such as '!!!' has no words that can be searched for.
  if (status === 400) return { recordings: [], pages: 0 }
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  const { recordings, count } = RecordingsBody.parse(body)
  return { recordings: recordings.flatMap(toRecording), pages: Math.ceil((count ?? 0) / PAGE_SIZE) }
}

/** One name per line: https://musicbrainz.org/doc/MusicBrainz_API */
function readGenres({ status, type, body }: ServiceResponse): string[] {
  if (status !== 200 || !type.startsWith('text/plain') || !Buffer.isBuffer(body))
    throw new ServiceFailure(`status ${status}, ${type}`)
  const lines = body.toString('utf8').split('\n')
  const names = lines.map((name) => name.trim()).filter(Boolean)
  if (names.length === 0) throw new ServiceFailure('no genres')
  return names
}

function readLinks({ status, body }: ServiceResponse): RecordingLinks {
  if (status === 404) return { addresses: [], musicVideos: [], works: [] }
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  const relations = (RelationsBody.parse(body).relations ?? []).filter(({ ended }) => !ended)
  return {
    addresses: relations.flatMap(({ url }) => url?.resource ?? []),
    musicVideos: relations.flatMap(({ type, recording }) =>
      type === 'music video' && recording?.video ? recording.id : [],
    ),
    works: relations.flatMap(({ type, work }) => (type === 'performance' && work ? work.id : [])),
  }
}

function toRecording(found: z.infer<typeof FoundRecording>): Recording[] {
  const credit = found['artist-credit'] ?? []
  const [lead] = credit
  if (!lead) return []
  const tags = (found.tags ?? []).filter(({ count }) => count > 0)
  const highestCount = tags.reduce((highest, { count }) => Math.max(highest, count), 0)
  return [
    {
      mbid: found.id,
      title: found.title,
      disambiguation: found.disambiguation ?? '',
      artist: credit
        .map(({ name, artist, joinphrase }) => (name ?? artist.name) + (joinphrase ?? ''))
        .join(''),
      leadArtist: {
        mbid: lead.artist.id,
        aliases: [lead.artist.name, ...(lead.artist.aliases ?? []).map(({ name }) => name)],
      },
      lengthMs: found.length ?? null,
      isVideo: found.video ?? false,
      isrcs: (found.isrcs ?? []).map((isrc) => isrc.toUpperCase()).filter((isrc) => ISRC.test(isrc)),
      firstReleased: found['first-release-date'] || null,
      releases: (found.releases ?? []).map(toRelease),
      tags: tags.map(({ name }) => name.toLowerCase()),
      strongestTags: tags.flatMap(({ name, count }) => (count === highestCount ? name.toLowerCase() : [])),
    },
  ]
}

function toRelease(release: z.infer<typeof FoundRelease>): Release {
  const group = release['release-group']
  return {
    mbid: release.id,
    groupMbid: group?.id ?? null,
    isOfficial: release.status === 'Official',
    isVarious: release['artist-credit']?.[0]?.artist.id === VARIOUS_ARTISTS,
    date: release.date || null,
    primaryType: group?.['primary-type'] ?? null,
    secondaryTypes: group?.['secondary-types'] ?? [],
  }
}

/** https://musicbrainz.org/doc/Style/Unknown_and_untitled/Special_purpose_artist */
const VARIOUS_ARTISTS = '89ad4ac3-39f7-470e-963a-56509c546377'

const Mbid = z.string().regex(MBID)

const Credit = z.array(
  z.object({
    name: z.nullish(Line),
    joinphrase: z.string().nullish(),
    artist: z.object({
      id: Mbid,
      name: Line,
      aliases: z.array(z.object({ name: Line })).nullish(),
    }),
  }),
)

const FoundRelease = z.object({
  id: Mbid,
  status: z.string().nullish(),
  date: z.string().nullish(),
  'artist-credit': Credit.nullish(),
  'release-group': z
    .object({
      id: Mbid.nullish(),
      'primary-type': z.string().nullish(),
      'secondary-types': z.array(z.string()).nullish(),
    })
    .nullish(),
})

const FoundRecording = z.object({
  id: Mbid,
  title: Line,
  disambiguation: z.string().nullish(),
  /** Milliseconds. */
  length: z.number().nullish(),
  video: z.boolean().nullish(),
  isrcs: z.array(z.string()).nullish(),
  'first-release-date': z.string().nullish(),
  'artist-credit': Credit.nullish(),
  releases: z.array(FoundRelease).nullish(),
  tags: z.array(z.object({ name: z.string(), count: z.number() })).nullish(),
})

const RecordingsBody = z.object({ count: z.number().nullish(), recordings: z.array(FoundRecording) })

/** https://musicbrainz.org/relationships: a link to YouTube is `free streaming`. */
const RelationsBody = z.object({
  relations: z
    .array(
      z.object({
        type: z.string(),
        ended: z.boolean().nullish(),
        url: z.object({ resource: z.string() }).nullish(),
        recording: z.object({ id: Mbid, video: z.boolean().nullish() }).nullish(),
        work: z.object({ id: Mbid }).nullish(),
      }),
    )
    .nullish(),
})
