import { createHash } from 'node:crypto'

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const LETTER_REPLACEMENTS: Record<string, string> = {
  '&': ' and ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}

/** Expects lower case. */
export const replaceLetters = (text: string) =>
  text.replace(/[&øłđæœßþ]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? '')

/** Lower-case Latin letters and digits joined by hyphens: 'Sigur Rós' becomes sigur-ros. */
export function slugOf(text: string): string {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|['’]/gu, '')
  return replaceLetters(folded)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Equal for two spellings of a name, also in other scripts. */
export const foldName = (text: string) => slugOf(text) || text.normalize('NFKC').toLowerCase().trim()

interface SongIdentity {
  title: string | null
  artist: string | null
  microgenre: string | null
  youtubeId: string | null
  spotifyId: string | null
  deezerId: string | null
  recordingMbid: string | null
}

const MAX_KEY_LENGTH = 80
const HASH_LENGTH = 16

/**
 * Derives a key from a song's id, so that it stays the same when texts are corrected; without an id from artist,
 * title and microgenre.
 */
export function deriveKey(song: SongIdentity): string {
  const hash = createHash('sha256').update(identityOf(song)).digest('hex').slice(0, HASH_LENGTH)
  const prefix = namedKey(song)
    .slice(0, MAX_KEY_LENGTH - HASH_LENGTH - 1)
    .replace(/-$/, '')
  return prefix ? `${prefix}-${hash}` : hash
}

/** The key of a song in the starter catalogue: artist and title. */
export function namedKey({ artist, title }: Pick<SongIdentity, 'artist' | 'title'>): string {
  return slugOf(`${artist ?? ''} ${title ?? ''}`)
    .slice(0, MAX_KEY_LENGTH)
    .replace(/-$/, '')
}

function identityOf(song: SongIdentity): string {
  const { youtubeId, spotifyId, deezerId, recordingMbid, microgenre, artist, title } = song
  if (youtubeId) return `youtube ${youtubeId}`
  if (spotifyId) return `spotify ${spotifyId}`
  if (deezerId) return `deezer ${deezerId}`
  if (recordingMbid) return `recording ${recordingMbid}`
  return [microgenre, artist, title].map((text) => foldName(text ?? '')).join('\n')
}
