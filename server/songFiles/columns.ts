import { BadInput } from '../inputErrors.ts'

/** Columns of a song, as `export` writes them. */
export const COLUMNS = [
  'key',
  'microgenre',
  'title',
  'artist',
  'year',
  'youtube_id',
  'spotify_id',
  'deezer_id',
  'recording_mbid',
  'isrc',
  'release_mbid',
  'duration_ms',
  'duration',
  'album_art',
  'audio_url',
  'licence',
  'attribution',
  'retired',
] as const
export type Column = (typeof COLUMNS)[number]

/** A row's values by column, without empty cells. */
export type Cells = Partial<Record<Column, string>>

/** Aliases of our columns, in lower-case letters and digits. */
const ALIASES: Partial<Record<Column, string>> = {
  microgenre: 'genre subgenre style tag',
  title: 'track tracktitle trackname song songtitle name mastermetadatatrackname',
  // YouTube lists further artists in more columns.
  artist: 'artists artistname artistnames artistname1 band performer mastermetadataalbumartistname',
  year: 'releaseyear trackyear released releasedate',
  youtube_id: 'youtube youtubeurl youtubelink videoid video ytid',
  spotify_id: 'spotify spotifyurl spotifyuri spotifytrackid spotifytrackuri trackuri uri',
  deezer_id: 'deezer deezertrackid deezerurl',
  // MusicBrainz Picard calls a recording a track, and a release an album.
  recording_mbid: 'mbid musicbrainzrecordingid musicbrainztrackid musicbrainzid musicbrainz recordingid',
  isrc: 'isrccode',
  release_mbid: 'musicbrainzreleaseid musicbrainzalbumid releaseid',
  duration_ms: 'durationmillis durationmilliseconds lengthms trackdurationms',
  duration: 'durations durationseconds length seconds time',
  album_art: 'art artwork cover coverurl image imageurl albumarturl albumimageurl',
}

/** The column that a name stands for. A lower rank is a better match. */
export interface MappedColumn {
  column: Column
  rank: number
  /** Its name is a plural: a cell may have several values. */
  isList?: boolean
}

export type FindColumn = (name: string) => MappedColumn | null

/**
 * Maps a file's names to columns. The operator's `mapping`, such as `title=Track name,artist=Band`, takes precedence.
 * @throws BadInput for an unknown column.
 */
export function readMapping(mapping: string): FindColumn {
  const givenColumns = new Map<string, MappedColumn>()
  for (const pair of mapping.split(',').filter(Boolean)) {
    const [ours = '', ...theirs] = pair.split('=')
    const column = COLUMNS.find((name) => name === ours.trim())
    if (!column || theirs.join('=').trim() === '') {
      throw new BadInput(
        `--columns expects OURS=THEIRS, separated by commas, not '${pair}'. Our columns are ${COLUMNS.join(', ')}.`,
      )
    }
    givenColumns.set(theirs.join('=').trim(), { column, rank: 0 })
  }
  const mapped = new Set([...givenColumns.values()].map(({ column }) => column))
  return (name) => {
    const ownColumn = COLUMN_BY_NAME.get(normalizeHeader(name))
    const named =
      givenColumns.get(name.trim()) ?? (ownColumn && !mapped.has(ownColumn.column) ? ownColumn : null)
    return named && { ...named, isList: /s\)?$/i.test(name.trim()) }
  }
}

/** Next to these names `key` is a musical key, such as 5 or Am, unless the operator maps it. */
const AUDIO_FEATURES = /^(bpm|tempo|danceability|acousticness)$/

/** Maps the names of one file or object in their context. */
export function findAmongNames(names: string[], find: FindColumn): FindColumn {
  if (!names.some((name) => AUDIO_FEATURES.test(normalizeHeader(name)))) return find
  return (name) => {
    const named = find(name)
    return named?.column === 'key' && named.rank > 0 ? null : named
  }
}

/** Ignores case, spaces and punctuation: 'YouTube ID' and 'youtube_id' are the same. */
export const normalizeHeader = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const COLUMN_BY_NAME = new Map<string, MappedColumn>([
  ...COLUMNS.flatMap((column) =>
    (ALIASES[column]?.split(' ') ?? []).map((alias, index): [string, MappedColumn] => [
      alias,
      { column, rank: index + 2 },
    ]),
  ),
  ...COLUMNS.map((column): [string, MappedColumn] => [normalizeHeader(column), { column, rank: 1 }]),
])

/** The columns of a header line in order; null for an unknown name, or if another name matches better. */
export function chooseColumns(header: string[], find: FindColumn): (MappedColumn | null)[] {
  const named = header.map(findAmongNames(header, find))
  const best = new Map<Column, number>()
  named.forEach((one, index) => {
    if (!one) return
    const other = named[best.get(one.column) ?? -1]
    if (!other || one.rank < other.rank) best.set(one.column, index)
  })
  return named.map((one, index) => (one && best.get(one.column) === index ? one : null))
}

/** What programs write for a missing value. */
export const EMPTY_MARKERS: ReadonlySet<string> = new Set([
  ...['NaN', 'nan', 'NaT', 'None', 'NULL', 'null', 'NA', 'N/A', 'n/a', '<NA>', '\\N', '(null)'],
  ...['#N/A', '#NAME?', '#REF!', '#VALUE!', '#DIV/0!', '#NUM!', '#NULL!'],
])
const LOWERCASE_EMPTY_MARKERS = new Set([...EMPTY_MARKERS].map((gap) => gap.toLowerCase()))
const MAX_EMPTY_MARKER_LENGTH = 7

/**
 * The text of a cell, empty for a missing value. Titles and artists may be such words. Lists of artists are joined by
 * commas.
 */
export function readCell({ column, isList }: MappedColumn, text: string): string {
  const cell = text.trim()
  if (column === 'title') return cell
  if (column === 'artist') return isList ? readArtists(cell) : cell
  return cell.length <= MAX_EMPTY_MARKER_LENGTH && LOWERCASE_EMPTY_MARKERS.has(cell.toLowerCase()) ? '' : cell
}

/** `A;B` of Exportify and `['A', "B"]` of data frames. */
function readArtists(text: string): string {
  const names = /^\[\s*['"].*['"]\s*\]$/.test(text)
    ? [...text.matchAll(/(['"])((?:\\.|(?!\1).)*)\1/g)].map(([, , name = '']) => name.replace(/\\(.)/g, '$1'))
    : text.split(';').map((name) => name.trim())
  return names.filter(Boolean).join(', ')
}
