import { csvCell } from '../../contract/csvCell.ts'
import { elsewhereLinks } from '../../contract/elsewhereLinks.ts'
import { type ExportForm, MAX_VIDEOS_PER_ADDRESS } from '../../contract/exports.ts'

/** A song of a playlist file. Its texts are on one line, without what XML forbids (`cleanLine`). */
export interface PlaylistSong {
  title: string
  artist: string
  microgenre: string
  year: number | null
  isrc: string | null
  recordingMbid: string | null
  youtubeId: string | null
  spotifyId: string | null
  deezerTrackId: string | null
  durationMs: number | null
}

type Songs = AsyncIterable<PlaylistSong>

/** Each yields the file in parts, so that it is never in memory as a whole. */
export const PLAYLIST_WRITERS: Record<ExportForm, (songs: Songs, title: string) => AsyncGenerator<string>> = {
  csv: writeCsv,
  text: writeText,
  jspf: writeJspf,
  xspf: writeXspf,
  m3u8: writeM3u8,
  youtube: writeYoutubeAddresses,
}

const addressOf = (song: PlaylistSong, services: readonly string[]): string | null =>
  elsewhereLinks(song, services).find(({ isExact }) => isExact)?.href ?? null

/** Where the song itself plays, the video first. */
export const bestAddress = (song: PlaylistSong) => addressOf(song, ['youtube', 'spotify', 'deezer'])

const recordingAddress = (mbid: string) => `https://musicbrainz.org/recording/${mbid}`

async function* writeCsv(songs: Songs): AsyncGenerator<string> {
  yield '\uFEFFtitle,artist,isrc,mbid,youtube,spotify,deezer,microgenre,year\r\n'
  for await (const song of songs) {
    const { title, artist, isrc, recordingMbid, microgenre, year } = song
    const addresses = ['youtube', 'spotify', 'deezer'].map((service) => addressOf(song, [service]))
    const cells = [title, artist, isrc, recordingMbid, ...addresses, microgenre, year]
    yield `${cells.map(csvCell).join(',')}\r\n`
  }
}

async function* writeText(songs: Songs): AsyncGenerator<string> {
  for await (const { artist, title } of songs) yield `${artist} - ${title}\n`
}

/** JSPF (https://xspf.org/jspf), with what ListenBrainz demands: `public`, and a list with the recording. */
export async function* writeJspf(
  songs: AsyncIterable<Omit<PlaylistSong, 'year' | 'isrc' | 'deezerTrackId'>>,
  title: string,
): AsyncGenerator<string> {
  const extension = { 'https://musicbrainz.org/doc/jspf#playlist': { public: false } }
  const head = JSON.stringify({ title, creator: 'Banger or Bust', extension })
  yield `{"playlist":${head.slice(0, -1)},"track":[`
  let separator = ''
  for await (const { title, artist, microgenre, durationMs, youtubeId, recordingMbid, spotifyId } of songs) {
    const identifier = recordingMbid
      ? recordingAddress(recordingMbid)
      : spotifyId && `https://open.spotify.com/track/${spotifyId}`
    const track = {
      title,
      creator: artist,
      annotation: microgenre,
      ...(durationMs ? { duration: durationMs } : {}),
      ...(youtubeId ? { location: [`https://www.youtube.com/watch?v=${youtubeId}`] } : {}),
      ...(identifier ? { identifier: [identifier] } : {}),
    }
    yield separator + JSON.stringify(track)
    separator = ',\n'
  }
  yield ']}}\n'
}

/** XSPF 1: https://xspf.org/spec */
async function* writeXspf(songs: Songs, title: string): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<playlist version="1" xmlns="http://xspf.org/ns/0/">\n'
  yield `${xmlElement('title', title)}${xmlElement('creator', 'Banger or Bust')}<trackList>\n`
  for await (const song of songs) {
    const { recordingMbid, durationMs } = song
    yield [
      '<track>',
      xmlElement('location', bestAddress(song)),
      xmlElement('identifier', recordingMbid && recordingAddress(recordingMbid)),
      xmlElement('title', song.title),
      xmlElement('creator', song.artist),
      xmlElement('annotation', song.microgenre),
      xmlElement('duration', durationMs ? String(durationMs) : null),
      '</track>\n',
    ].join('')
  }
  yield '</trackList></playlist>\n'
}

const xmlElement = (name: string, text: string | null): string =>
  text ? `<${name}>${text.replace(/[&<>]/g, (sign) => XML_ENTITIES[sign] ?? '')}</${name}>` : ''

const XML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

async function* writeM3u8(songs: Songs, title: string): AsyncGenerator<string> {
  yield `#EXTM3U\n#PLAYLIST:${title}\n`
  for await (const song of songs) {
    const seconds = song.durationMs ? Math.round(song.durationMs / 1000) : -1
    yield `#EXTINF:${seconds},${song.artist} - ${song.title}\n${bestAddress(song)}\n`
  }
}

async function* writeYoutubeAddresses(songs: Songs): AsyncGenerator<string> {
  let ids: string[] = []
  const address = () => `https://www.youtube.com/watch_videos?video_ids=${ids.join(',')}\n`
  for await (const { youtubeId } of songs) {
    if (youtubeId) ids.push(youtubeId)
    if (ids.length < MAX_VIDEOS_PER_ADDRESS) continue
    yield address()
    ids = []
  }
  if (ids.length > 0) yield address()
}
