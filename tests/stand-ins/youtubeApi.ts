import type { ServerResponse } from 'node:http'
import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'

/** A video as YouTube knows it. Default: public, embeddable, three minutes. */
export interface KnownVideo {
  title: string
  channel: string
  embeddable?: boolean
  privacy?: 'public' | 'unlisted' | 'private'
  upload?: 'processed' | 'rejected' | 'deleted'
  ageRestricted?: boolean
  /** Countries in which it may play. */
  allowed?: string[]
  /** Countries in which it may not. */
  blocked?: string[]
  /** ISO 8601. */
  duration?: string
  /** oEmbed answers with this status only. */
  oembedStatus?: number
}

export interface YoutubeApi {
  /** For YOUTUBE_API_URL. */
  apiUrl: string
  /** For YOUTUBE_OEMBED_URL. */
  oembedUrl: string
  /** The only accepted key, for YOUTUBE_API_KEY. */
  key: string
  /** Adds a video. No others exist. */
  know(videoId: string, video: KnownVideo): void
  /** Sets how the Data API, oEmbed, or both behave. */
  behave(behaviour: Behaviour, of?: 'api' | 'oembed'): void
  /** The Data API reports that the day's units are used up: at once, or after so many more searches. */
  useUpQuota(searches?: number): void
  /** Calls in order: `videos:a,b`, `search:words`, `oembed:a`. */
  requests: string[]
  reset(): void
  close(): Promise<void>
}

/** A stand-in for the YouTube Data API v3 and YouTube's oEmbed, in the formats that Google documents. */
export async function startYoutubeApi(): Promise<YoutubeApi> {
  const videos = new Map<string, KnownVideo>()
  const requests: string[] = []
  const key = 'AIza-stand-in-key'
  let moods: Record<'api' | 'oembed', Behaviour> = { api: 'ok', oembed: 'ok' }
  let quotaUsed = false
  let searchesLeft = Number.POSITIVE_INFINITY

  const { port, close } = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/oembed') return oembed(url, response)
    if (url.pathname === '/youtube/v3/videos') return api(url, response, 'id', listVideos)
    if (url.pathname === '/youtube/v3/search') return api(url, response, 'q', search)
    sendJson(response, 404, { error: { code: 404, message: 'Not Found' } })
  })

  function oembed(url: URL, response: ServerResponse) {
    const id = new URL(url.searchParams.get('url') ?? 'http://nowhere').searchParams.get('v') ?? ''
    requests.push(`oembed:${id}`)
    if (misbehave(moods.oembed, response)) return
    const video = videos.get(id)
    const say = (status: number, text: string) =>
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text)
    if (!/^[\w-]{11}$/.test(id)) return say(400, 'Bad Request')
    if (video?.oembedStatus) return say(video.oembedStatus, 'An error')
    if (!video || video.upload === 'deleted') return say(404, 'Not Found')
    if (video.privacy === 'private') return say(403, 'Forbidden')
    if (video.embeddable === false) return say(401, 'Unauthorized')
    sendJson(response, 200, {
      title: video.title,
      author_name: video.channel,
      author_url: 'https://www.youtube.com/@channel',
      type: 'video',
      height: 113,
      width: 200,
      version: '1.0',
      provider_name: 'YouTube',
      provider_url: 'https://www.youtube.com/',
      thumbnail_height: 360,
      thumbnail_width: 480,
      thumbnail_url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
      html: '<iframe></iframe>',
    })
  }

  function api(url: URL, response: ServerResponse, subject: string, answer: (subject: string) => unknown) {
    const words = url.searchParams.get(subject) ?? ''
    requests.push(`${url.pathname.split('/').at(-1)}:${words}`)
    if (misbehave(moods.api, response)) return
    if (url.searchParams.get('key') !== key) return sendJson(response, 400, BAD_KEY)
    if (quotaUsed || (subject === 'q' && searchesLeft <= 0)) return sendJson(response, 403, QUOTA_EXCEEDED)
    sendJson(response, 200, answer(words))
  }

  function listVideos(ids: string) {
    const items = ids.split(',').flatMap((id) => {
      const video = videos.get(id)
      return video && video.privacy !== 'private' && video.upload !== 'deleted' ? [resourceOf(id, video)] : []
    })
    return { kind: 'youtube#videoListResponse', etag: 'e', items, pageInfo: pageInfo(items.length) }
  }

  function search(words: string) {
    searchesLeft -= 1
    const searchWords = words.toLowerCase().split(/\s+/)
    const items = [...videos]
      .filter(([, { title, channel }]) =>
        searchWords.some((word) => `${title} ${channel}`.toLowerCase().includes(word)),
      )
      .map(([videoId, { title, channel }]) => ({
        kind: 'youtube#searchResult',
        etag: 'e',
        id: { kind: 'youtube#video', videoId },
        snippet: {
          title: escapeHtml(title),
          channelTitle: escapeHtml(channel),
          liveBroadcastContent: 'none',
        },
      }))
    return { kind: 'youtube#searchListResponse', etag: 'e', items, pageInfo: pageInfo(items.length) }
  }

  return {
    apiUrl: `http://127.0.0.1:${port}/youtube/v3`,
    oembedUrl: `http://127.0.0.1:${port}/oembed`,
    key,
    know: (videoId, video) => void videos.set(videoId, video),
    behave(behaviour, of) {
      moods = of ? { ...moods, [of]: behaviour } : { api: behaviour, oembed: behaviour }
    },
    useUpQuota(searches) {
      if (searches === undefined) quotaUsed = true
      else searchesLeft = searches
    },
    requests,
    reset() {
      videos.clear()
      requests.length = 0
      moods = { api: 'ok', oembed: 'ok' }
      quotaUsed = false
      searchesLeft = Number.POSITIVE_INFINITY
    },
    close,
  }
}

function resourceOf(id: string, video: KnownVideo) {
  return {
    kind: 'youtube#video',
    etag: 'e',
    id,
    snippet: { title: video.title, channelTitle: video.channel },
    contentDetails: {
      duration: video.duration ?? 'PT3M',
      dimension: '2d',
      contentRating: video.ageRestricted ? { ytRating: 'ytAgeRestricted' } : {},
      ...(video.allowed ? { regionRestriction: { allowed: video.allowed } } : {}),
      ...(video.blocked ? { regionRestriction: { blocked: video.blocked } } : {}),
    },
    status: {
      uploadStatus: video.upload ?? 'processed',
      privacyStatus: video.privacy ?? 'public',
      license: 'youtube',
      embeddable: video.embeddable ?? true,
      publicStatsViewable: true,
    },
  }
}

const pageInfo = (n: number) => ({ totalResults: n, resultsPerPage: n })

/** HTML-escaped, like the titles in search results. */
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;')

const BAD_KEY = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    errors: [
      { message: 'API key not valid. Please pass a valid API key.', domain: 'global', reason: 'badRequest' },
    ],
    status: 'INVALID_ARGUMENT',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { service: 'youtube.googleapis.com' },
      },
    ],
  },
}

const QUOTA_EXCEEDED = {
  error: {
    code: 403,
    message: 'The request cannot be completed because you have exceeded your quota.',
    errors: [{ message: 'You have exceeded your quota.', domain: 'youtube.quota', reason: 'quotaExceeded' }],
  },
}
