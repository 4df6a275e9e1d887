import { createHash } from 'node:crypto'
import { foldText } from '../../contract/foldText.ts'
import { titleKey } from '../suggestions/songKey.ts'
import { type ImportedSong, shorten } from './importItems.ts'

/** One song of a file, with all its entries added up. */
export interface FileSong extends ImportedSong {
  /** The same for all spellings. */
  key: string
  titleKey: string
  artistKey: string
  version: string
  /** Entries of the file. */
  rows: number
}

/** What an integer of the database holds. */
export const MAX_PLAYS = 2_000_000_000

/** Null without ids and without a name. */
export function toFileSong(song: ImportedSong): FileSong | null {
  const [title, artist] = [shorten(song.title), shorten(song.artist)]
  const ids = song.spotifyId ?? song.youtubeId ?? song.recordingMbid ?? song.isrc
  if (!ids && !(title && artist)) return null
  const names = { titleKey: title && recordingKey(title), artistKey: artist && titleKey(artist) }
  const version = versionOf(title)
  const key = title && artist ? [names.artistKey, names.titleKey, version].join('\n') : `\n${ids}`
  return { ...song, ...statementOf(song), ...names, title, artist, version, key: hashIfLong(key) }
}

/** What one entry says of its song. */
export const statementOf = ({ verdict, at, plays }: ImportedSong) => ({
  verdict,
  at: verdict ? at : null,
  plays,
  rows: 1,
})

/** An index takes keys of 2,700 bytes. */
const hashIfLong = (key: string) =>
  key.length < 500 ? key : createHash('sha256').update(key).digest('base64')

/** Adds a song to others with its key; `addSongs` in writeSongs.ts does the same to stored ones. */
export function addSong<S extends FileSong>(songs: Map<string, S>, song: S): void {
  const sum = songs.get(song.key)
  if (!sum) return void songs.set(song.key, song)
  sum.plays = Math.min(sum.plays + song.plays, MAX_PLAYS)
  sum.rows += song.rows
  for (const id of ['isrc', 'recordingMbid', 'spotifyId', 'youtubeId', 'microgenre'] as const)
    sum[id] ??= song[id]
  if (!song.verdict) return
  if (sum.verdict === song.verdict) {
    if (song.at && (!sum.at || song.at < sum.at)) sum.at = song.at
  } else if (!sum.verdict || (song.at ?? 0) > (sum.at ?? 0)) {
    sum.verdict = song.verdict
    sum.at = song.at
  }
}

/**
 * The key of a title without guests: 'Song (X Remix)' for 'Song feat. Y (X Remix)'. `titleKey` leaves out all that
 * follows them, and so takes remixes for each other.
 */
export const recordingKey = (title: string): string => titleKey(title.replace(GUESTS, ''))

const GUESTS =
  /\s*[([](?:feat|ft|featuring)\b\.?\s[^)\]]*[)\]]|\s(?:feat|ft|featuring)\b\.?\s.*?(?=\s*[()[\]]|\s[-–—]\s|$)/gi

/** What of a title makes another recording of the song: 'live', 'mix remix'. Empty for the recording that everybody knows. */
export function versionOf(title: string): string {
  const words = foldText(title.replace(GUESTS, ''))
    .replace(/\b(radio edit|original mix|(album|single|mono|stereo) version)\b/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => VERSION_WORDS.has(word))
  return [...new Set(words)].sort().join(' ')
}

const VERSION_WORDS = new Set(
  (
    'acapella acoustic akustik bootleg cover demo dub edit extended flip instrumental karaoke live mashup mix nightcore ' +
    'orchestral piano refix rehearsal remix reprise rework session sessions slowed sped tribute unplugged version vip vivo'
  ).split(' '),
)

/** A title without what stands in brackets or after a dash. */
export function plainTitle(title: string): string {
  const plain = title
    .replace(/\s*[([][^)\]]*[)\]]/g, ' ')
    .replace(/\s[-–—]\s.*$/, '')
    .trim()
  return plain || title
}
