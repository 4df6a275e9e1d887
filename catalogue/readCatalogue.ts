import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Catalogue, type CatalogueVersion, MicrogenreEntry, SongEntry } from './catalogue.ts'
import { BadCatalogue, type Fault, type Row, readTable } from './readTable.ts'

/**
 * Reads the catalogue from its folder and validates it as a whole: every microgenre has a file of songs, and no
 * key, id or song appears twice.
 * @throws BadCatalogue with every fault found.
 */
export function readCatalogue(folder: string): Catalogue {
  const microgenres = readTable(
    'microgenres.tsv',
    readFileSync(join(folder, 'microgenres.tsv'), 'utf8'),
    MicrogenreEntry,
  )
  const faults = [...microgenres.faults]
  const songs: LocatedSong[] = []
  const files = readdirSync(join(folder, 'songs')).filter((name) => name.endsWith('.tsv'))
  for (const name of files.sort()) {
    const file = `songs/${name}`
    const microgenre = name.replace(/\.tsv$/, '')
    if (!microgenres.rows.some((row) => row.entry.key === microgenre)) {
      faults.push({ file, line: 1, field: null, reason: 'microgenres.tsv has no row with this key' })
    }
    const table = readTable(file, readFileSync(join(folder, file), 'utf8'), SongEntry)
    faults.push(...table.faults)
    songs.push(...table.rows.map((row) => ({ ...row, file, microgenre })))
  }
  for (const { line, entry } of microgenres.rows) {
    if (!files.includes(`${entry.key}.tsv`)) {
      faults.push({
        file: 'microgenres.tsv',
        line,
        field: 'key',
        reason: `songs/${entry.key}.tsv is missing`,
      })
    }
  }
  faults.push(
    ...repeatedMicrogenres(microgenres.rows),
    ...wrongRelatives(microgenres.rows),
    ...repeatedSongs(songs),
  )
  if (faults.length > 0) throw new BadCatalogue(faults)
  return {
    version: readVersion(folder),
    microgenres: microgenres.rows.map((row) => row.entry),
    songs: songs.map(({ entry, microgenre }) => ({ ...entry, microgenre })),
  }
}

/** The number is that of version.json; the hash is of the files, whatever their line ends, so that a changed one is loaded. */
function readVersion(folder: string): CatalogueVersion | null {
  const file = join(folder, 'version.json')
  if (!existsSync(file)) return null
  const { number } = JSON.parse(readFileSync(file, 'utf8')) as CatalogueVersion
  const hash = createHash('sha256')
  for (const name of [
    'microgenres.tsv',
    ...readdirSync(join(folder, 'songs'))
      .sort()
      .map((song) => `songs/${song}`),
  ])
    hash.update(`${name}\n`).update(
      readFileSync(join(folder, name), 'utf8')
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n'),
    )
  return { number, sha256: hash.digest('hex') }
}

type LocatedSong = Row<SongEntry> & { file: string; microgenre: string }

function repeatedMicrogenres(rows: Row<MicrogenreEntry>[]): Fault[] {
  const located = rows.map((row) => ({ ...row, file: 'microgenres.tsv' }))
  return [
    ...repeated(located, 'key', (entry) => entry.key),
    ...repeated(located, 'name', (entry) => entry.name.toLowerCase()),
    ...repeated(located, 'color', (entry) => entry.color),
  ]
}

/** Each relative is another microgenre, named once. */
function wrongRelatives(rows: Row<MicrogenreEntry>[]): Fault[] {
  const keys = new Set(rows.map(({ entry }) => entry.key))
  return rows.flatMap(({ line, entry: { key, relatives } }) =>
    relatives
      .filter((one, place) => !keys.has(one) || one === key || relatives.indexOf(one) < place)
      .map((one) => ({
        file: 'microgenres.tsv',
        line,
        field: 'relatives',
        reason: `'${one}' is ${keys.has(one) ? 'the microgenre itself, or named twice' : 'no microgenre'}`,
      })),
  )
}

function repeatedSongs(rows: LocatedSong[]): Fault[] {
  return [
    ...repeated(rows, 'key', (entry) => entry.key),
    ...repeatedVideos(rows),
    ...repeated(rows, 'spotify_id', (entry) => entry.spotify_id),
    ...repeated(rows, 'title', (entry) => `${entry.artist} – ${entry.title}`.toLowerCase()),
  ]
}

/** A video is named once, as the first or a further one. A further one needs a first. */
function repeatedVideos(rows: LocatedSong[]): Fault[] {
  const first = rows.map((row) => ({ ...row, field: 'youtube_id', video: row.entry.youtube_id }))
  const further = rows.flatMap((row) =>
    row.entry.other_youtube_ids.map((video) => ({ ...row, field: 'other_youtube_ids', video })),
  )
  const places = new Map<string, string>()
  return [...first, ...further].flatMap(({ file, line, field, video, entry }) => {
    if (video === null) return []
    const fault = (reason: string) => [{ file, line, field, reason }]
    const place = places.get(video)
    if (place) return fault(`'${video}' is already used in ${place}`)
    places.set(video, `${file}:${line}`)
    return entry.youtube_id === null ? fault('needs a youtube_id') : []
  })
}

function repeated<T>(
  rows: (Row<T> & { file: string })[],
  field: string,
  keyOf: (entry: T) => string | null,
): Fault[] {
  const first = new Map<string, string>()
  return rows.flatMap(({ file, line, entry }) => {
    const value = keyOf(entry)
    if (value === null) return []
    const place = first.get(value)
    if (place === undefined) {
      first.set(value, `${file}:${line}`)
      return []
    }
    return [{ file, line, field, reason: `'${value}' is already used in ${place}` }]
  })
}
