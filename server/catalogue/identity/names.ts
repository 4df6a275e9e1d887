import type { ArtistAndTitle } from '../../playback/matchScore.ts'
import { normalizeName, tokenize } from '../spelling.ts'

export interface NamedRecording extends ArtistAndTitle {
  /** Distinguishes it from others of the same title. */
  disambiguation?: string
  aliases?: readonly string[]
}

/**
 * Whether two names mean the same recording (catalogue-3). 'alike' needs agreeing lengths, because one has an
 * additional subtitle or artist, or the artist has several names. Another version, such as a remix or live take, is
 * another recording unless the song's title names it.
 */
export function compareNames(song: ArtistAndTitle, found: NamedRecording): 'same' | 'alike' | 'other' {
  if (isOtherVersion(song.title, found.title, found.disambiguation)) return 'other'
  const parts = [compareTitles(song.title, found.title), compareArtists(song.artist, found)]
  if (parts.includes('other')) return 'other'
  return parts.includes('alike') ? 'alike' : 'same'
}

/** Whether a title or MusicBrainz's disambiguation names a version that the song's title does not, or the reverse. */
export function isOtherVersion(title: string, found: string, disambiguation = ''): boolean {
  const titleTokens = new Set(tokenize(title))
  const added = disambiguation
    .split(/[,;:()[\]]/)
    .filter(isVersion)
    .flatMap((part) => tokenize(part).filter((word) => VERSION_WORDS.has(word)))
  if (added.some((word) => !titleTokens.has(word))) return true
  const [one, other] = [readTitle(title), readTitle(found)]
  if (one.whole === other.whole) return false
  return one.versions.join('\n') !== other.versions.join('\n')
}

/** Whether a title names a version of a song, such as '(Live)'. */
export const isVersionTitle = (title: string): boolean => readTitle(title).versions.length > 0

function compareTitles(title: string, found: string): 'same' | 'alike' | 'other' {
  const [one, other] = [readTitle(title), readTitle(found)]
  if (one.whole === other.whole) return 'same'
  const isMore = one.subtitles.length === 0 || other.subtitles.length === 0
  return one.main === other.main && isMore ? 'alike' : 'other'
}

interface ReadTitle {
  /** The normalized title without featured artists and editions. */
  whole: string
  /** `whole` without parts in brackets or after a dash. */
  main: string
  /** Parts in brackets or after a dash: those that name a version, sorted, and the others. */
  versions: string[]
  subtitles: string[]
}

function readTitle(title: string): ReadTitle {
  const [first = '', ...behindDashes] = withoutFeatured(title).split(/\s+[-–—]\s+/)
  const added: string[] = []
  const addPart = (part: string) => {
    if (!isEdition(part)) added.push(part)
  }
  const main = replaceBrackets(first, (inside) => {
    addPart(inside)
    return ' '
  })
  const whole = [
    replaceBrackets(first, (inside) => (isEdition(inside) ? ' ' : ` ${inside} `)),
    ...behindDashes.filter((part) => !isEdition(part)),
  ].join(' ')
  behindDashes.forEach(addPart)
  const normalizeAll = (parts: string[]) => parts.map(normalizeName).sort()
  return {
    whole: normalizeName(whole),
    main: normalizeName(main),
    versions: normalizeAll(added.filter(isVersion)),
    subtitles: normalizeAll(added.filter((part) => !isVersion(part))),
  }
}

/** From the innermost brackets outwards. */
function replaceBrackets(text: string, replace: (inside: string) => string): string {
  const replaced = text.replace(/[([{]([^()[\]{}]*)[)\]}]/, (_, inside: string) => replace(inside))
  return replaced === text ? text : replaceBrackets(replaced, replace)
}

/** 'feat. Someone', in brackets or not, up to the next bracket or dash. */
const withoutFeatured = (text: string) =>
  text
    .replace(/[([]\s*(?:feat|ft|featuring)\b[^()[\]]*[)\]]/gi, ' ')
    .replace(/\s(?:feat\.?|ft\.?|featuring)\s[^([]*?(?=\s*[([]|\s+[-–—]\s|$)/gi, ' ')

/** The same recording in another edition: 'Remastered 2011', 'Album Version', 'Official Video'. */
const isEdition = (part: string) => EDITION_PATTERN.test(tokenize(part).join(' '))

const EDITION_PATTERN = new RegExp(
  [
    '((\\d{4}|digital|digitally) )*remaster(ed)?( version| edition)?( \\d{4})?',
    '(album|lp|original|original album|studio|mono|stereo|explicit)( version| recording)?',
    '(original|mono|stereo) mix',
    '(official )?((music|lyric|lyrics) )?(audio|video|visualizer)',
    'official|bonus track|deluxe( edition| version)?',
  ]
    .map((one) => `^(${one})$`)
    .join('|'),
)

const isVersion = (part: string) => !isEdition(part) && tokenize(part).some((word) => VERSION_WORDS.has(word))

/** Words that name another recording of a song. */
const VERSION_WORDS = new Set(
  `live concert unplugged session sessions vivo directo bbc peel broadcast festival tour rehearsal
  remix remixed rmx mix mixed remake rework reworked refix flip vip edit edited version dub bootleg mashup megamix medley
  extended radio club single short long 7 12 inch
  acoustic acustico acustica acapella cappella instrumental orchestral symphonic piano lullaby
  demo take alternate alternative outtake reprise unreleased early rerecorded recorded rerecording
  cover covered karaoke tribute style famous performed playback backing
  slowed sped nightcore reverb 8d clean censored commentary interview snippet excerpt preview video`
    .trim()
    .split(/\s+/),
)

function compareArtists(artist: string, found: NamedRecording): 'same' | 'alike' | 'other' {
  const [one, other] = [artist, found.artist].map((name) => name.replace(FEATURED_PATTERN, '')) as [
    string,
    string,
  ]
  if (normalizeName(one) === normalizeName(other)) return 'same'
  const [ours, theirs] = [splitArtists(one), splitArtists(other)]
  const [fewer, more] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours]
  if (fewer[0] === more[0] && fewer.every((name) => more.includes(name))) return 'alike'
  return found.aliases?.some((alias) => normalizeName(alias) === normalizeName(one)) ? 'alike' : 'other'
}

/** The first of several artists, normalized: the one whose share counts. */
export const leadArtist = (artists: string): string =>
  splitArtists(artists.replace(FEATURED_PATTERN, ''))[0] ?? ''

const FEATURED_PATTERN = /\s[([]?(?:feat\.?|ft\.?|featuring)\s.*$/i

/** The artists in 'Queen & David Bowie'. */
const splitArtists = (artists: string) =>
  artists.split(/\s*[,;/+&]\s*|\s+(?:and|with|x|vs\.?|y|et|und|e)\s+/i).map(normalizeName)
