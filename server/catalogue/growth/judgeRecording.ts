import { MIN_SONG_YEAR, SongText } from '../../../contract/suggestions.ts'
import type { Recording } from '../../integrations/musicbrainz.ts'
import { chooseRelease, isOtherVersionRelease } from '../identity/chooseRecording.ts'
import { isOtherVersion, isVersionTitle } from '../identity/names.ts'
import { tokenize } from '../spelling.ts'

/** A recording as a song of the catalogue. */
export interface FoundSong {
  title: string
  artist: string
  /** Of the first credited artist. */
  artistMbid: string
  lengthMs: number | null
  year: number | null
  /** The release whose cover is shown. */
  releaseMbid: string | null
}

/** Whether the names and length of a file are those of a song (catalogue-12). */
export const isSong = (file: Pick<Recording, 'title' | 'artist'> & { lengthMs: number }): boolean =>
  !hasPlaceholder(file) && !isVersion({ ...file, disambiguation: '' }) && isValidLength(file.lengthMs)

/** Why a recording is not suitable, as in the report. */
export type RecordingRefusal = 'no song' | 'other version' | 'no record' | 'length'

/** Milliseconds. Shorter ones are mostly intros and skits, longer ones sets and whole albums. */
const LENGTH_LIMITS = { min: 90_000, max: 12 * 60_000 }
const isValidLength = (ms: number) => ms >= LENGTH_LIMITS.min && ms <= LENGTH_LIMITS.max

/** A recording as a song, and why it cannot be one (catalogue-12). The song is null without valid names. */
export function judgeRecording(recording: Recording): {
  song: FoundSong | null
  refusal: RecordingRefusal | null
} {
  const [title, artist] = [readName(recording.title), readName(recording.artist)]
  if (title === null || artist === null) return { song: null, refusal: 'no song' }
  const { lengthMs } = recording
  const hasValidLength = lengthMs === null || isValidLength(lengthMs)
  return {
    song: {
      title,
      artist,
      artistMbid: recording.leadArtist.mbid,
      lengthMs: hasValidLength && lengthMs !== null ? Math.round(lengthMs) : null,
      year: yearOf(recording),
      releaseMbid: chooseRelease(recording)?.mbid ?? null,
    },
    refusal: refusalOf(recording, hasValidLength),
  }
}

function refusalOf(recording: Recording, hasValidLength: boolean): RecordingRefusal | null {
  if (recording.isVideo || hasPlaceholder(recording)) return 'no song'
  if (isVersion(recording)) return 'other version'
  if (!recording.releases.some(isOwnRecord)) return 'no record'
  return hasValidLength ? null : 'length'
}

/** As in an import: without invisible characters, and of valid length. */
function readName(text: string): string | null {
  if (/\p{Surrogate}|\uFFFD/u.test(text)) return null
  const name = SongText.safeParse(text.replaceAll('\0', ''))
  return name.success ? name.data : null
}

/** `[untitled]`, `[unknown]`: https://musicbrainz.org/doc/Style/Unknown_and_untitled */
const PLACEHOLDER_PATTERN = /^(\[.*\]|various artists)$/i

const hasPlaceholder = ({ title, artist }: Pick<Recording, 'title' | 'artist'>) =>
  [title, artist].some((name) => PLACEHOLDER_PATTERN.test(name.trim()))

type Described = Pick<Recording, 'title' | 'artist' | 'disambiguation'>

function isVersion({ title, artist, disambiguation }: Described): boolean {
  if (isVersionTitle(title) || isOtherVersion(title, title, disambiguation)) return true
  const words = [title, disambiguation, artist].map((text) => tokenize(text).join(' '))
  return words.some((text) => IMITATION_PATTERN.test(text)) || IMITATOR_PATTERN.test(words[2] ?? '')
}

/** Imitations and live takes, also without brackets. */
const IMITATION_PATTERN =
  /\b(karaoke|tribute to|in the style of|made famous by|(originally|as) (performed|sung) by|backing track|live (at|from)|recorded live|megamix|nightcore)\b/

/** Artists who play the songs of others. */
const IMITATOR_PATTERN = /\b(tribute|cover band|covers|lullab(y|ies)|hits? (crew|band)|party (crew|band))\b/

/** Not a sampler, bootleg, live record, set of remixes or the like. */
const isOwnRecord = (release: Recording['releases'][number]) =>
  release.isOfficial &&
  !release.isVarious &&
  !isOtherVersionRelease(release) &&
  !release.secondaryTypes.includes('Compilation')

function yearOf({ firstReleased }: Recording): number | null {
  const year = Number(firstReleased?.slice(0, 4))
  return Number.isInteger(year) && year >= MIN_SONG_YEAR && year <= 2100 ? year : null
}
