import { BadInput } from '../fault.ts'

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
  'retired',
] as const
export type Column = (typeof COLUMNS)[number]

/** A row's values by column, without empty cells. */
export type Cells = Partial<Record<Column, string>>

/** Other names for our columns, in lower-case letters and digits. */
const ALIASES: Partial<Record<Column, string[]>> = {
  microgenre: ['genre', 'subgenre', 'style', 'tag'],
  title: ['track', 'tracktitle', 'trackname', 'song', 'songtitle', 'name'],
  artist: ['artists', 'artistname', 'artistnames', 'band', 'performer'],
  year: ['releaseyear', 'released', 'releasedate', 'date'],
  youtube_id: ['youtube', 'youtubeurl', 'youtubelink', 'videoid', 'video', 'ytid'],
  spotify_id: ['spotify', 'spotifyurl', 'spotifyuri', 'spotifytrackid', 'trackuri'],
  deezer_id: ['deezer', 'deezertrackid', 'deezerurl'],
  // The tags that MusicBrainz Picard writes call a recording a track, and a release an album.
  recording_mbid: [
    'mbid',
    'musicbrainzrecordingid',
    'musicbrainztrackid',
    'musicbrainzid',
    'musicbrainz',
    'recordingid',
  ],
  isrc: ['isrccode'],
  release_mbid: ['musicbrainzreleaseid', 'musicbrainzalbumid', 'releaseid'],
  duration_ms: ['durationmillis', 'durationmilliseconds', 'lengthms', 'trackdurationms'],
  duration: ['durations', 'durationseconds', 'length', 'seconds', 'time'],
  album_art: ['art', 'artwork', 'cover', 'coverurl', 'image', 'imageurl', 'albumarturl', 'albumimageurl'],
}

/** The column that a name stands for. A lower rank is a better match. */
export interface Named {
  column: Column
  rank: number
}

export type FindColumn = (name: string) => Named | null

/**
 * Maps a file's names to columns. `mapping` comes from the operator, such as `title=Track name,artist=Band`, and
 * takes precedence.
 * @throws BadInput for a mapping to an unknown column.
 */
export function readMapping(mapping: string): FindColumn {
  const given = new Map<string, Named>()
  for (const pair of mapping.split(',').filter(Boolean)) {
    const [ours = '', ...theirs] = pair.split('=')
    const column = COLUMNS.find((name) => name === ours.trim())
    if (!column || theirs.join('=').trim() === '') {
      throw new BadInput(
        `--columns expects OURS=THEIRS, separated by commas, not '${pair}'. Our columns are ${COLUMNS.join(', ')}.`,
      )
    }
    given.set(theirs.join('=').trim(), { column, rank: 0 })
  }
  const mapped = new Set([...given.values()].map(({ column }) => column))
  return (name) => {
    const chosen = given.get(name.trim())
    if (chosen) return chosen
    const known = KNOWN.get(plain(name))
    return known && !mapped.has(known.column) ? known : null
  }
}

/** Ignores case, spaces and punctuation: 'YouTube ID' and 'youtube_id' are the same. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const KNOWN = new Map<string, Named>([
  ...COLUMNS.flatMap((column) =>
    (ALIASES[column] ?? []).map((alias, index): [string, Named] => [alias, { column, rank: index + 2 }]),
  ),
  ...COLUMNS.map((column): [string, Named] => [plain(column), { column, rank: 1 }]),
])

/** The columns of a header line in order; null for one that is unknown, or matched better by another name. */
export function chooseColumns(header: string[], find: FindColumn): (Column | null)[] {
  const named = header.map((name) => find(name))
  const best = new Map<Column, number>()
  named.forEach((one, index) => {
    if (!one) return
    const other = named[best.get(one.column) ?? -1]
    if (!other || one.rank < other.rank) best.set(one.column, index)
  })
  return named.map((one, index) => (one && best.get(one.column) === index ? one.column : null))
}
