import type { Song } from './shapes.ts'
import { cleanLine } from './texts.ts'

/** Where a song can be heard elsewhere, in the default order (playback-60). */
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
  /** Whether it leads to the song itself, or to a search for it. */
  isExact: boolean
}

type LinkableSong = Pick<Song, 'title' | 'artist' | 'youtubeId' | 'spotifyId' | 'deezerTrackId'>

/**
 * The links to a song at `services`, in their order; services that this version does not know are left out. A link
 * leads to the song where its id has the form of the service's ids, else to the service's search (playback-60).
 */
export function hearElsewhere(song: LinkableSong, services: readonly string[]): ElsewhereLink[] {
  const words = searchWords(song)
  return services.flatMap((service) => {
    if (!isElsewhere(service)) return []
    const { label, search, byId } = SERVICES[service]
    const exact = byId && idOf(song[byId.field], byId.pattern)
    const href = exact ? `${byId.address}${exact}` : search(words)
    return [{ service, label, href, isExact: Boolean(exact) }]
  })
}

export const isElsewhere = (name: string): name is ElsewhereService => Object.hasOwn(SERVICES, name)

interface ServiceLinks {
  label: string
  /** An id is appended to the address. MusicBrainz and Bandcamp have no id in the catalogue. */
  byId?: { field: 'youtubeId' | 'spotifyId' | 'deezerTrackId'; pattern: RegExp; address: string }
  search: (words: string) => string
}

const BY_VIDEO_ID = { field: 'youtubeId', pattern: /^[\w-]{11}$/ } as const

const SERVICES: Record<ElsewhereService, ServiceLinks> = {
  youtube: {
    label: 'YouTube',
    byId: { ...BY_VIDEO_ID, address: 'https://www.youtube.com/watch?v=' },
    search: (words) => `https://www.youtube.com/results?search_query=${encode(words)}`,
  },
  'youtube-music': {
    label: 'YouTube Music',
    byId: { ...BY_VIDEO_ID, address: 'https://music.youtube.com/watch?v=' },
    search: (words) => `https://music.youtube.com/search?q=${encode(words)}`,
  },
  spotify: {
    label: 'Spotify',
    byId: { field: 'spotifyId', pattern: /^[A-Za-z0-9]{22}$/, address: 'https://open.spotify.com/track/' },
    search: (words) => `https://open.spotify.com/search${asStep(words)}`,
  },
  deezer: {
    label: 'Deezer',
    byId: { field: 'deezerTrackId', pattern: /^[1-9]\d{0,14}$/, address: 'https://www.deezer.com/track/' },
    search: (words) => `https://www.deezer.com/search${asStep(words)}`,
  },
  bandcamp: {
    label: 'Bandcamp',
    search: (words) => `https://bandcamp.com/search?q=${encode(words)}&item_type=t`,
  },
  musicbrainz: {
    label: 'MusicBrainz',
    search: (words) => `https://musicbrainz.org/search?query=${encode(words)}&type=recording&method=indexed`,
  },
}

/** The id, if it has the service's form. */
function idOf(id: string | null | undefined, form: RegExp): string | null {
  return typeof id === 'string' && form.test(id) ? id : null
}

/** Characters; a title and an artist of the catalogue fit. Services cut or reject more. */
const MAX_SEARCH_CHARACTERS = 200

/** Artist and title as one types them: one line, without characters that hide or reverse others. */
function searchWords({ artist, title }: LinkableSong): string {
  const typed = cleanLine(`${artist} ${title}`.replace(/[\p{Surrogate}\0]/gu, ' '))
  return [...typed.replace(/\s+/g, ' ')].slice(0, MAX_SEARCH_CHARACTERS).join('').trim()
}

/** Also what only HTML and scripts give a meaning, so that no place can misread a link. */
const encode = (words: string) =>
  encodeURIComponent(words).replace(
    /['()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** A last step of a path. Words that are only dots would lead to another one. */
const asStep = (words: string) => (/^\.*$/.test(words) ? '' : `/${encode(words)}`)
