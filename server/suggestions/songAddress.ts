import { SONG_ID_PATTERNS } from '../../contract/shapes.ts'
import type { Service } from '../../contract/suggestions.ts'

/** Ids by which services know a song. */
export interface SongIds {
  youtubeId: string | null
  spotifyId: string | null
  deezerTrackId: string | null
  recordingMbid: string | null
}

export const NO_IDS: SongIds = { youtubeId: null, spotifyId: null, deezerTrackId: null, recordingMbid: null }

export interface SongAddress {
  service: Service
  /** Without tracking parameters. */
  address: string
  ids: SongIds
}

/** Parses the address of a song, without a request (desk-2). `refusal` says what is wrong and what to do. */
export function parseSongAddress(text: string): SongAddress | { refusal: string } {
  const uri = /^spotify:track:([A-Za-z0-9]{22})$/.exec(text)
  if (uri) return spotifySong(uri[1] ?? '')
  const url = urlOf(text)
  if (!url) return { refusal: NO_ADDRESS }
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  if (SHORTENERS.includes(host)) return { refusal: SHORT_LINK }
  const readSong = HOSTS.find(({ pattern }) => pattern.test(host))?.read
  if (!readSong) return { refusal: UNKNOWN_HOST }
  return readSong(url, url.pathname.split('/').filter(Boolean), host) ?? { refusal: NO_SONG }
}

/** Null unless it is the address of a page, without a password or a port. */
function urlOf(text: string): URL | null {
  if (/\s/.test(text)) return null
  const absolute = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(absolute)) return null
  const url = new URL(absolute)
  const isPage = url.protocol === 'https:' || url.protocol === 'http:'
  return isPage && !url.username && !url.password && !url.port && url.hostname.includes('.') ? url : null
}

type SongReader = (url: URL, path: string[], host: string) => SongAddress | null

/** By host, without 'www.'. Further hosts are refused. */
const HOSTS: { pattern: RegExp; read: SongReader }[] = [
  { pattern: /^((m|music)\.)?youtube\.com$|^youtube-nocookie\.com$/, read: readYoutube },
  { pattern: /^youtu\.be$/, read: (_, [id = '']) => youtubeSong(id) },
  { pattern: /^(open|play)\.spotify\.com$/, read: readSpotify },
  { pattern: /^deezer\.com$/, read: readDeezer },
  { pattern: /^[a-z\d-]+\.bandcamp\.com$/, read: readBandcamp },
  { pattern: /^(beta\.)?musicbrainz\.org$/, read: readMusicbrainz },
]

/** Links of the services that lead to another address. */
const SHORTENERS = [
  'spotify.link',
  'spotify.app.link',
  'deezer.page.link',
  'link.deezer.com',
  'dzr.page.link',
]

function readYoutube(url: URL, [kind, id = '']: string[]): SongAddress | null {
  if (kind === 'watch') return youtubeSong(url.searchParams.get('v') ?? '')
  return kind && ['shorts', 'embed', 'live', 'v'].includes(kind) ? youtubeSong(id) : null
}

function youtubeSong(id: string): SongAddress | null {
  if (!SONG_ID_PATTERNS.youtubeId.test(id)) return null
  return {
    service: 'youtube',
    address: `https://www.youtube.com/watch?v=${id}`,
    ids: { ...NO_IDS, youtubeId: id },
  }
}

/** With a language, such as /intl-de/track/…, or as the player on other pages: /embed/track/…. */
function readSpotify(_: URL, path: string[]): SongAddress | null {
  const [kind, id = ''] = /^(intl-[\w-]+|embed)$/.test(path[0] ?? '') ? path.slice(1) : path
  return kind === 'track' && SONG_ID_PATTERNS.spotifyId.test(id) ? spotifySong(id) : null
}

const spotifySong = (id: string): SongAddress => ({
  service: 'spotify',
  address: `https://open.spotify.com/track/${id}`,
  ids: { ...NO_IDS, spotifyId: id },
})

/** With a language, such as /de/track/…. */
function readDeezer(_: URL, path: string[]): SongAddress | null {
  const [kind, id = ''] = /^[a-z]{2}(-[a-z]{2})?$/i.test(path[0] ?? '') ? path.slice(1) : path
  return kind === 'track' && SONG_ID_PATTERNS.deezerTrackId.test(id) ? deezerSong(id) : null
}

const deezerSong = (id: string): SongAddress => ({
  service: 'deezer',
  address: deezerAddress(id),
  ids: { ...NO_IDS, deezerTrackId: id },
})

export const deezerAddress = (trackId: string): string => `https://www.deezer.com/track/${trackId}`

function readBandcamp(_: URL, [kind, name = '']: string[], host: string): SongAddress | null {
  if (kind !== 'track' || !/^[\w-]{1,200}$/.test(name)) return null
  return { service: 'bandcamp', address: `https://${host}/track/${name}`, ids: NO_IDS }
}

function readMusicbrainz(_: URL, [kind, rawId = '']: string[]): SongAddress | null {
  const id = rawId.toLowerCase()
  if (kind !== 'recording' || !SONG_ID_PATTERNS.recordingMbid.test(id)) return null
  return {
    service: 'musicbrainz',
    address: `https://musicbrainz.org/recording/${id}`,
    ids: { ...NO_IDS, recordingMbid: id },
  }
}

const NO_ADDRESS = 'This is not the address of a page. Please copy it from your browser.'
const UNKNOWN_HOST =
  'Only songs at YouTube, Spotify, Deezer, Bandcamp and MusicBrainz are recognised. Please type title and artist instead.'
const SHORT_LINK = 'This is a short link. Please open it, and copy the address of the page that it leads to.'
const NO_SONG =
  'This is not the address of one song, but of a playlist, an album, an artist or another page. Please open the song there, and copy its address.'
