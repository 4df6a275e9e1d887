import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Behaviour, type StandIn, sendJson, startStandIn } from './behaviour.ts'
import { createWordIndex, wordsOf } from './wordIndex.ts'

/** A recording as MusicBrainz knows it. */
export interface KnownRecording {
  mbid: string
  title: string
  artist: string
  /** Two artists of one name have different ids. */
  artistMbid: string
  aliases?: string[]
  disambiguation?: string
  lengthMs?: number | null
  isVideo?: boolean
  isrcs?: string[]
  /** The number of people who set each tag. */
  tags?: Record<string, number>
  /** By default one official album of the artist. */
  releases?: KnownRelease[]
}

/** The links of a recording. */
export interface KnownLinks {
  addresses?: string[]
  /** Links that were ended, because the video is gone. */
  ended?: string[]
  /** Its music videos, which are recordings. */
  musicVideos?: string[]
  works?: string[]
}

export interface KnownRelease {
  mbid: string
  /** Of its release group, by default the same. */
  groupMbid?: string
  date?: string
  /** Official by default. */
  status?: string
  isVarious?: boolean
  /** Such as Live or Compilation. */
  secondaryTypes?: string[]
}

interface IndexedRecording {
  recording: KnownRecording
  titleWords: Set<string>
  artistWords: Set<string>
}

/** `requests` are queries; a look-up of links is `links:` and the id, the list of genres `genres`. */
export interface Musicbrainz extends StandIn {
  know(...recordings: KnownRecording[]): void
  /** Sets the links of a recording, release group or release. Look-ups of others answer 404. */
  link(mbid: string, links: KnownLinks): void
  /** Adds tags that are genres. */
  nameGenres(...names: string[]): void
  /** Truncates every response to a query with this word. */
  spoil(word: string): void
  /** Answers that many more calls; all later ones hang. */
  hangAfter(calls: number): void
  /** The times of the calls, in milliseconds. */
  times: number[]
}

/** A stand-in for MusicBrainz's search of recordings: https://musicbrainz.org/doc/MusicBrainz_API/Search */
export async function startMusicbrainz(): Promise<Musicbrainz> {
  const byName = createWordIndex<IndexedRecording>()
  const byCode = createWordIndex<KnownRecording>()
  const byTag = createWordIndex<KnownRecording>()
  const genres: string[] = []
  const linksById = new Map<string, KnownLinks>()
  const times: number[] = []
  let truncatedQuery: string | null = null
  let answersLeft = Number.POSITIVE_INFINITY

  /** The id of a look-up of links. */
  const linkedId = ({ pathname }: URL) =>
    /^\/ws\/2\/(?:recording|release|release-group)\/([0-9a-f-]{36})$/.exec(pathname)?.[1]
  const isGenres = ({ pathname, searchParams }: URL) =>
    pathname === '/ws/2/genre/all' && searchParams.get('fmt') === 'txt'

  function describe(url: URL) {
    times.push(performance.now())
    const id = linkedId(url)
    return id ? `links:${id}` : isGenres(url) ? 'genres' : (url.searchParams.get('query') ?? '')
  }

  function fail(behaviour: Behaviour, response: ServerResponse) {
    if (answersLeft-- <= 0) return true
    if (behaviour !== 'down') return false
    response.setHeader('Retry-After', '1')
    sendJson(response, 503, { error: RATE_LIMIT_MESSAGE })
    return true
  }

  function answer(url: URL, { headers }: IncomingMessage, response: ServerResponse) {
    const agent = headers['user-agent'] ?? ''
    const recordingId = linkedId(url)
    if (isGenres(url) && / \( .+ \)$/.test(agent)) {
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(genres.join('\n'))
      return
    }
    if ((!recordingId && url.pathname !== '/ws/2/recording') || url.searchParams.get('fmt') !== 'json')
      return sendJson(response, 404, { error: 'Not Found' })
    if (!/ \( .+ \)$/.test(agent))
      return sendJson(response, 403, { error: 'Please set a meaningful User-Agent.' })
    if (recordingId) {
      const links = linksById.get(recordingId)
      if (!links)
        return sendJson(response, 404, {
          error: 'Not Found',
          help: 'For usage, please see: https://musicbrainz.org/development/mmd',
        })
      return sendJson(response, 200, lookedUp(recordingId, links, url.searchParams.get('inc') ?? ''))
    }
    const query = url.searchParams.get('query') ?? ''
    const matches = search(query)
    if (!matches) return sendJson(response, 400, { error: 'Unable to parse search query.' })
    const offset = Number(url.searchParams.get('offset') ?? 0)
    const recordings = matches
      .slice(offset, offset + Number(url.searchParams.get('limit') ?? 25))
      .map(resultOf)
    const answer = { created: '2026-11-24T00:00:00.000Z', count: matches.length, offset, recordings }
    const text = JSON.stringify(answer)
    response
      .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
      .end(truncatedQuery && query.includes(truncatedQuery) ? text.slice(0, text.length / 2) : text)
  }

  function search(query: string): { recording: KnownRecording; score: number }[] | null {
    const [, field, ids = ''] = /^(rid|isrc):\((.*)\)$/.exec(query) ?? []
    if (field) return [...new Set(ids.split(' OR ').flatMap(byCode.having))].map(exactly)
    const [, tag] = /^tag:"(.*)"$/.exec(query) ?? []
    // It also finds tags that contain the words.
    if (tag !== undefined)
      return [...byTag.find(wordsOf(tag))]
        .filter(({ tags = {} }) =>
          Object.keys(tags).some((name) => ` ${name.toLowerCase()} `.includes(` ${tag} `)),
        )
        .map(exactly)
    const [, title, artist] = /^recording:\((.*)\) AND artist:\((.*)\)$/.exec(query) ?? []
    if (title === undefined || artist === undefined) return null
    const [titleWords, artistWords] = [wordsOf(title), wordsOf(artist)]
    const similarityOf = (searched: string[], words: Set<string>) =>
      similarity(searched, words, byName.weightOf)
    return [...byName.find([...titleWords, ...artistWords])]
      .map(({ recording, ...its }) => ({
        recording,
        score: 50 * (similarityOf(titleWords, its.titleWords) + similarityOf(artistWords, its.artistWords)),
      }))
      .filter(({ score }) => score > 50)
      .sort((a, b) => b.score - a.score)
  }

  const standIn = await startStandIn({
    describe,
    fail,
    answer,
    forget() {
      for (const index of [byName, byCode, byTag]) index.clear()
      genres.length = 0
      linksById.clear()
      times.length = 0
      truncatedQuery = null
      answersLeft = Number.POSITIVE_INFINITY
    },
  })
  return {
    ...standIn,
    times,
    know(...recordings) {
      for (const recording of recordings) {
        const { mbid, title, artist, isrcs = [], tags = {} } = recording
        const titleWords = new Set(wordsOf(title))
        const artistWords = new Set(wordsOf(artist))
        byName.add([...titleWords, ...artistWords], { recording, titleWords, artistWords })
        byCode.add([mbid, ...isrcs], recording)
        byTag.add(Object.keys(tags).flatMap(wordsOf), recording)
      }
    },
    link: (mbid, links) => void linksById.set(mbid, links),
    nameGenres: (...names) => void genres.push(...names),
    spoil(word) {
      truncatedQuery = word
    },
    hangAfter(more) {
      answersLeft = more
    },
  }
}

const exactly = (recording: KnownRecording) => ({ recording, score: 100 })

const RATE_LIMIT_MESSAGE =
  'Your requests are exceeding the allowable rate limit. Please see http://wiki.musicbrainz.org/XMLWebService for more information.'

function lookedUp(mbid: string, links: KnownLinks, inc: string) {
  const { addresses = [], ended = [], musicVideos = [], works = [] } = links
  const relation = (type: string, target: string, its: object, isEnded = false) => ({
    type,
    'type-id': '7e41ef12-a124-4324-afdb-fdbae687a89c',
    'target-type': target,
    direction: 'forward',
    begin: null,
    end: null,
    ended: isEnded,
    attributes: [],
    'attribute-values': {},
    'attribute-ids': {},
    'source-credit': '',
    'target-credit': '',
    ...its,
  })
  const urls = [...addresses, ...ended].map((resource) =>
    relation(
      resource.includes('discogs') ? 'discogs' : 'free streaming',
      'url',
      { url: { id: mbid, resource } },
      ended.includes(resource),
    ),
  )
  const videos = musicVideos.map((id) =>
    relation('music video', 'recording', { recording: { id, title: 'Video', video: true, length: null } }),
  )
  const performed = works.map((id) => relation('performance', 'work', { work: { id, title: 'Work' } }))
  const searched = inc.split(' ')
  return {
    id: mbid,
    title: 'Title',
    length: null,
    video: false,
    disambiguation: '',
    relations: [
      ...(searched.includes('url-rels') ? urls : []),
      ...(searched.includes('recording-rels') ? videos : []),
      ...(searched.includes('work-rels') ? performed : []),
    ],
  }
}

function resultOf({ recording, score }: { recording: KnownRecording; score: number }) {
  const { mbid, title, artist, artistMbid, aliases = [], disambiguation, isVideo, isrcs } = recording
  const releases = recording.releases ?? [{ mbid: `${mbid.slice(0, -1)}f` }]
  const dates = releases.flatMap(({ date }) => date ?? []).sort()
  return {
    id: mbid,
    score: Math.round(score),
    title,
    ...(recording.lengthMs ? { length: recording.lengthMs } : {}),
    ...(disambiguation ? { disambiguation } : {}),
    video: isVideo ? true : null,
    'artist-credit': [
      {
        name: artist,
        artist: {
          id: artistMbid,
          name: artist,
          'sort-name': artist,
          aliases: aliases.map((name) => ({ name, 'sort-name': name, type: null, primary: null })),
        },
      },
    ],
    ...(dates[0] ? { 'first-release-date': dates[0] } : {}),
    ...(isrcs ? { isrcs } : {}),
    ...(recording.tags
      ? { tags: Object.entries(recording.tags).map(([name, count]) => ({ count, name })) }
      : {}),
    releases: releases.map((release) => ({
      id: release.mbid,
      count: 1,
      title,
      status: release.status ?? 'Official',
      'artist-credit': [
        release.isVarious
          ? { name: 'Various Artists', artist: VARIOUS_ARTISTS }
          : { name: artist, artist: { id: artistMbid, name: artist, 'sort-name': artist } },
      ],
      'release-group': {
        id: release.groupMbid ?? release.mbid,
        title,
        'primary-type': 'Album',
        ...(release.secondaryTypes ? { 'secondary-types': release.secondaryTypes } : {}),
      },
      date: release.date ?? '',
      country: 'XW',
      'track-count': 10,
      media: [{ position: 1, format: 'CD', 'track-count': 10, 'track-offset': 0 }],
    })),
  }
}

const VARIOUS_ARTISTS = {
  id: '89ad4ac3-39f7-470e-963a-56509c546377',
  name: 'Various Artists',
  'sort-name': 'Various Artists',
}

/** The weight of the common words as a share of the weight of all words. */
function similarity(searched: string[], words: Set<string>, weightOf: (word: string) => number): number {
  const sumWeights = (some: Iterable<string>) => [...some].reduce((sum, word) => sum + weightOf(word), 0)
  return (
    (2 * sumWeights(searched.filter((word) => words.has(word)))) / (sumWeights(searched) + sumWeights(words))
  )
}
