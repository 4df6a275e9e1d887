import { BadInput } from '../fault.ts'

/** What a song's row may tell; the names that `export` writes. */
export const COLUMNS = [
  'key',
  'microgenre',
  'title',
  'artist',
  'year',
  'youtube_id',
  'spotify_id',
  'deezer_id',
  'duration_ms',
  'duration',
  'album_art',
  'retired',
] as const
export type Column = (typeof COLUMNS)[number]

/** What a row says, by column; an empty cell is left out. */
export type Cells = Partial<Record<Column, string>>

/** How others call our columns, in small letters and digits alone. */
const ALIASES: Partial<Record<Column, string[]>> = {
  microgenre: ['genre', 'subgenre', 'style', 'tag'],
  title: ['track', 'tracktitle', 'trackname', 'song', 'songtitle', 'name'],
  artist: ['artists', 'artistname', 'artistnames', 'band', 'performer'],
  year: ['releaseyear', 'released', 'releasedate', 'date'],
  youtube_id: ['youtube', 'youtubeurl', 'youtubelink', 'videoid', 'video', 'ytid'],
  spotify_id: ['spotify', 'spotifyurl', 'spotifyuri', 'spotifytrackid', 'trackuri'],
  deezer_id: ['deezer', 'deezertrackid', 'deezerurl'],
  duration_ms: ['durationmillis', 'durationmilliseconds', 'lengthms', 'trackdurationms'],
  duration: ['durations', 'durationseconds', 'length', 'seconds', 'time'],
  album_art: ['art', 'artwork', 'cover', 'coverurl', 'image', 'imageurl', 'albumarturl', 'albumimageurl'],
}

/** Which column a file's own name stands for. The lower the rank, the better it says so. */
export interface Named {
  column: Column
  rank: number
}

export type FindColumn = (name: string) => Named | null

/**
 * Tells columns by the names of a file. `mapping` is the operator's own word, such as
 * `title=Track name,artist=Band`, and goes before everything else.
 * @throws BadInput for a mapping that names no column of ours.
 */
export function readMapping(mapping: string): FindColumn {
  const given = new Map<string, Named>()
  for (const pair of mapping.split(',').filter(Boolean)) {
    const [ours = '', ...theirs] = pair.split('=')
    const column = COLUMNS.find((name) => name === ours.trim())
    if (!column || theirs.join('=').trim() === '') {
      throw new BadInput(
        `--columns takes OURS=THEIRS, with commas between; '${pair}' is not that. Ours are ${COLUMNS.join(', ')}.`,
      )
    }
    given.set(theirs.join('=').trim(), { column, rank: 0 })
  }
  const mapped = new Set([...given.values()].map(({ column }) => column))
  return (name) => {
    const said = given.get(name.trim())
    if (said) return said
    const known = KNOWN.get(plain(name))
    return known && !mapped.has(known.column) ? known : null
  }
}

/** By the name without its capitals, spaces and signs: 'YouTube ID' and 'youtube_id' are one. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const KNOWN = new Map<string, Named>([
  ...COLUMNS.flatMap((column) =>
    (ALIASES[column] ?? []).map((alias, index): [string, Named] => [alias, { column, rank: index + 2 }]),
  ),
  ...COLUMNS.map((column): [string, Named] => [plain(column), { column, rank: 1 }]),
])

/** The columns of a header line, in its order; null for one that is not ours, or said better by another. */
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
