import type { Recording, Release } from '../../integrations/musicbrainz.ts'
import { compareNames, isVersionTitle } from './names.ts'

export interface SongFacts {
  artist: string
  title: string
  year: number | null
  durationMs: number | null
  isrc: string | null
}

/** Why a song has no recording. */
export type UnidentifiedReason = 'not found' | 'length differs' | 'year differs' | 'ambiguous'

export type Choice = { recording: Recording } | { reason: UnidentifiedReason; candidates: Recording[] }

/**
 * Milliseconds by which lengths of one recording may differ: services give whole seconds, CDs add two seconds of
 * silence, fades vary. Edits and other takes differ by more.
 */
const LENGTH_TOLERANCE = 4000

/** Null when one length is unknown. */
export const doLengthsAgree = (one: number | null, other: number | null): boolean | null =>
  one === null || other === null ? null : Math.abs(one - other) <= LENGTH_TOLERANCE

/**
 * The recording of a song among those that MusicBrainz finds (catalogue-3). Artist and title must agree, and the
 * length where both are known. Undecided cases are ambiguous, never guessed.
 */
export function chooseRecording(song: SongFacts, found: readonly Recording[]): Choice {
  const named = found.flatMap((recording) => {
    const names = isOtherRecording(song, recording) ? 'other' : compareNames(song, namesOf(recording))
    return names === 'other' ? [] : [{ recording, isSame: names === 'same' }]
  })
  if (named.length === 0) return { reason: 'not found', candidates: [] }
  const undecided = (reason: UnidentifiedReason): Choice => ({ reason, candidates: named.map(recordingOf) })

  const lengthAgrees = ({ recording }: Candidate) => doLengthsAgree(song.durationMs, recording.lengthMs)
  const proven = named.filter((one) => lengthAgrees(one) === true)
  // Additional subtitles or artists need the length as proof.
  const possible = named.filter((one) => lengthAgrees(one) === null && one.isSame)
  let fitting = proven.length > 0 ? proven : possible
  if (fitting.length === 0) {
    return undecided(named.some((one) => lengthAgrees(one) === false) ? 'length differs' : 'ambiguous')
  }
  const isProven = proven.length > 0
  if (fitting.some(({ isSame }) => isSame)) fitting = fitting.filter(({ isSame }) => isSame)

  const withIsrc = fitting.filter(({ recording }) => hasIsrc(song, recording))
  const rivals = fitting.some(({ isSame }) => isSame) ? named.filter(({ isSame }) => isSame) : named
  if (isProven && withIsrc.length > 0) fitting = withIsrc
  else if (leadArtists(rivals) > 1) {
    // Two artists share this name: only length and year together distinguish them.
    fitting = fitting.filter(({ recording }) => isProven && isOfYear(song, recording))
    if (leadArtists(fitting) !== 1) return undecided('ambiguous')
  } else {
    // Artists re-record songs decades later.
    const maxYears = isProven ? MAX_YEARS_APART.withLength : MAX_YEARS_APART.alone
    fitting = fitting.filter(({ recording }) => (yearsApart(song, recording) ?? 0) <= maxYears)
    if (fitting.length === 0) return undecided('year differs')
  }

  const ofTheYear = fitting.filter(({ recording }) => isOfYear(song, recording))
  const recording = findEarliest((ofTheYear.length > 0 ? ofTheYear : fitting).map(recordingOf), isProven)
  return recording ? { recording } : undecided('ambiguous')
}

/**
 * Whether a recording from another source is certainly the song: artist, title and length agree, and the year or the
 * ISRC. Without a search, other artists of the same name are unknown.
 */
export const isCertain = (song: SongFacts, recording: Recording): boolean =>
  !isOtherRecording(song, recording) &&
  compareNames(song, namesOf(recording)) === 'same' &&
  doLengthsAgree(song.durationMs, recording.lengthMs) === true &&
  (isOfYear(song, recording) || hasIsrc(song, recording))

/** The release whose cover is shown: the artist's first official one, preferably no compilation. */
export function chooseRelease({ releases }: Recording): Release | null {
  const official = releases.filter(({ isOfficial }) => isOfficial)
  const ownReleases = official.filter(({ isVarious }) => !isVarious)
  const regular = ownReleases.filter(({ secondaryTypes }) => secondaryTypes.length === 0)
  const choice = [regular, ownReleases, official].find((some) => some.length > 0) ?? []
  return [...choice].sort(compareByDate)[0] ?? null
}

interface Candidate {
  recording: Recording
  /** Whether artist and title are the same, not only alike. */
  isSame: boolean
}

const recordingOf = ({ recording }: Candidate) => recording

const leadArtists = (candidates: Candidate[]) =>
  new Set(candidates.map(({ recording }) => recording.leadArtist.mbid)).size

const namesOf = ({ artist, title, disambiguation, leadArtist }: Recording) => ({
  artist,
  title,
  disambiguation,
  aliases: leadArtist.aliases,
})

const hasIsrc = (song: SongFacts, recording: Recording) =>
  song.isrc !== null && recording.isrcs.includes(song.isrc)

/** Releases of these types have other versions, even if a recording's title does not say so. */
const OTHER_VERSION_TYPES = new Set([
  'Live',
  'Remix',
  'DJ-mix',
  'Demo',
  'Interview',
  'Audiobook',
  'Audio drama',
  'Spokenword',
])

/** Whether a release is a live record, a set of remixes or the like. */
export const isOtherVersionRelease = ({ secondaryTypes }: Release): boolean =>
  secondaryTypes.some((type) => OTHER_VERSION_TYPES.has(type))

/** A video, or a recording only on live records, remixes and the like, unless the song's title names a version. */
const isOtherRecording = (song: SongFacts, { isVideo, releases }: Recording) =>
  isVideo || (releases.length > 0 && releases.every(isOtherVersionRelease) && !isVersionTitle(song.title))

/**
 * Years between a song and the first release of its recording: one, because a record may reach another country later;
 * more where the length agrees, because MusicBrainz may know only a later record.
 */
const MAX_YEARS_APART = { alone: 1, withLength: 5 }

/** Null when one year is unknown. */
function yearsApart(song: SongFacts, recording: Recording): number | null {
  const year = Number(recording.firstReleased?.slice(0, 4))
  return song.year === null || !year ? null : Math.abs(song.year - year)
}

function isOfYear(song: SongFacts, recording: Recording): boolean {
  const years = yearsApart(song, recording)
  return years !== null && years <= MAX_YEARS_APART.alone
}

/**
 * Of several recordings of one artist the one on the earliest official release, as in MusicBrainz's canonical data;
 * the others are remasters and other mixes. Undefined when two are equally early, or when nothing shows that they are
 * the same take.
 */
function findEarliest(recordings: Recording[], areProven: boolean): Recording | undefined {
  const [first] = recordings
  if (recordings.length === 1) return first
  const areOneTake = recordings.every((one) =>
    recordings.every((other) => doLengthsAgree(one.lengthMs, other.lengthMs) === true),
  )
  if (!areProven && !areOneTake) return undefined
  const dated = recordings
    .map((recording) => ({ recording, date: firstOfficial(recording) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
  const [one, next] = dated
  // '1973' may be before or after '1973-05'.
  const isEarlier = one && next && one.date < next.date && !next.date.startsWith(one.date)
  return isEarlier ? one.recording : undefined
}

/** Sorts after every date. */
const NO_DATE = '9999'

function firstOfficial({ releases }: Recording): string {
  const ownReleases = releases.filter(
    (one) => one.isOfficial && !one.isVarious && !isOtherVersionRelease(one),
  )
  return [...ownReleases].sort(compareByDate)[0]?.date ?? NO_DATE
}

const compareByDate = (a: Release, b: Release) => (ageOf(a) < ageOf(b) ? -1 : 1)

const ageOf = ({ date, mbid }: Release) => `${date ?? NO_DATE} ${mbid}`
