import { SONG_ID_PATTERNS, type Song } from './shapes.ts'
import { cleanLine } from './texts.ts'

/** Services where a song can be heard, in the default order (playback-60). */
export const ELSEWHERE_SERVICES = [
  'youtube',
  'youtube-music',
  'spotify',
  'deezer',
  'bandcamp',
  'musicbrainz',
] as const
export type ElsewhereService = (typeof ELSEWHERE_SERVICES)[number]

export interface ElsewhereLink {
  service: ElsewhereService
  /** The service's name. */
  label: string
  /** https, at the service. */
  href: string
  /** Whether it leads to the song itself and not to a search. */
  isExact: boolean
}

type LinkableSong = Pick<Song, 'title' | 'artist' | 'youtubeId' | 'spotifyId' | 'deezerTrackId'>

/**
 * Links to a song at `services`, in this order; unknown services are skipped. A link leads to the song if its id is
 * valid, else to the service's search (playback-60).
 */
export function elsewhereLinks(song: LinkableSong, services: readonly string[]): ElsewhereLink[] {
  const searchText = toSearchText(song)
  return services.flatMap((service) => {
    if (!isElsewhereService(service)) return []
    const { label, search, idLink } = SERVICES[service]
    const songId = idLink && validId(song, idLink.field)
    const href = songId ? `${idLink.address}${songId}` : search(searchText)
    return [{ service, label, href, isExact: Boolean(songId) }]
  })
}

export const isElsewhereService = (name: string): name is ElsewhereService => Object.hasOwn(SERVICES, name)

interface ServiceLinks {
  label: string
  /** An id is appended to the address. MusicBrainz and Bandcamp have no id in the catalogue. */
  idLink?: { field: 'youtubeId' | 'spotifyId' | 'deezerTrackId'; address: string }
  search: (searchText: string) => string
}

const SERVICES: Record<ElsewhereService, ServiceLinks> = {
  youtube: {
    label: 'YouTube',
    idLink: { field: 'youtubeId', address: 'https://www.youtube.com/watch?v=' },
    search: (searchText) => `https://www.youtube.com/results?search_query=${encode(searchText)}`,
  },
  'youtube-music': {
    label: 'YouTube Music',
    idLink: { field: 'youtubeId', address: 'https://music.youtube.com/watch?v=' },
    search: (searchText) => `https://music.youtube.com/search?q=${encode(searchText)}`,
  },
  spotify: {
    label: 'Spotify',
    idLink: { field: 'spotifyId', address: 'https://open.spotify.com/track/' },
    search: (searchText) => `https://open.spotify.com/search${toPathSegment(searchText)}`,
  },
  deezer: {
    label: 'Deezer',
    idLink: { field: 'deezerTrackId', address: 'https://www.deezer.com/track/' },
    search: (searchText) => `https://www.deezer.com/search${toPathSegment(searchText)}`,
  },
  bandcamp: {
    label: 'Bandcamp',
    search: (searchText) => `https://bandcamp.com/search?q=${encode(searchText)}&item_type=t`,
  },
  musicbrainz: {
    label: 'MusicBrainz',
    search: (searchText) =>
      `https://musicbrainz.org/search?query=${encode(searchText)}&type=recording&method=indexed`,
  },
}

function validId(song: LinkableSong, field: 'youtubeId' | 'spotifyId' | 'deezerTrackId'): string | null {
  const id = song[field]
  return typeof id === 'string' && SONG_ID_PATTERNS[field].test(id) ? id : null
}

/** Characters; a title and an artist of the catalogue fit. Services cut or reject more. */
const MAX_SEARCH_CHARACTERS = 200

/** Artist and title as one types them: one line, without characters that hide or reverse others. */
function toSearchText({ artist, title }: LinkableSong): string {
  const line = cleanLine(`${artist} ${title}`.replace(/[\p{Surrogate}\0]/gu, ' '))
  return [...line.replace(/\s+/g, ' ')].slice(0, MAX_SEARCH_CHARACTERS).join('').trim()
}

/** Also escapes characters that are special only in HTML and scripts, so that the link is safe everywhere. */
const encode = (searchText: string) =>
  encodeURIComponent(searchText).replace(
    /['()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The last segment of a path. Only dots would lead to another path. */
const toPathSegment = (searchText: string) => (/^\.*$/.test(searchText) ? '' : `/${encode(searchText)}`)
