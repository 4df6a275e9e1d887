import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCatalogue } from './readCatalogue.ts'
import { BadCatalogue, type Fault } from './readTable.ts'

const GENRES =
  'key\tname\tfamily\tcolor\tenergy\tvocals\tfamiliarity\tmood\tdescription\n' +
  'dub\tDub\tReggae\t#112233\tslow\tinstrumental\tindie\trhythmic\tDeep. Wide.\n' +
  'ska\tSka\tReggae\t#332211\tfast,weird\tvocal\tindie\trhythmic\tQuick. Bright.\n'
const HEADER = 'key\ttitle\tartist\tyear\tyoutube_id\tspotify_id\tduration_ms\n'
const DUB = `${HEADER}one\tOne\tA\t1973\tabcdefghijk\t\t180000\ntwo\tTwo\tA\t\t\t\t\n`
const SKA = `${HEADER}three\tThree\tB\t1964\t\t0123456789abcdefghijkl\t\n`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  mkdirSync(join(folder, 'songs'))
  write('microgenres.tsv', GENRES)
  write('songs/dub.tsv', DUB)
  write('songs/ska.tsv', SKA)
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a valid catalogue is read completely', () => {
  const { microgenres, songs } = readCatalogue(folder)

  expect(microgenres).toHaveLength(2)
  expect(microgenres[1]).toEqual({
    key: 'ska',
    name: 'Ska',
    family: 'Reggae',
    color: '#332211',
    energy: ['fast', 'weird'],
    vocals: ['vocal'],
    familiarity: ['indie'],
    mood: ['rhythmic'],
    description: 'Quick. Bright.',
  })
  expect(songs).toHaveLength(3)
  expect(songs[0]).toEqual({
    key: 'one',
    microgenre: 'dub',
    title: 'One',
    artist: 'A',
    year: 1973,
    youtube_id: 'abcdefghijk',
    spotify_id: null,
    duration_ms: 180000,
  })
})

test('Windows line ends and a byte-order mark change nothing', () => {
  const plain = readCatalogue(folder)
  for (const file of ['microgenres.tsv', 'songs/dub.tsv', 'songs/ska.tsv']) {
    write(file, `\uFEFF${readFileSync(join(folder, file), 'utf8').replaceAll('\n', '\r\n')}`)
  }

  expect(readCatalogue(folder)).toEqual(plain)
})

const BROKEN: [string, string, (text: string) => string, Partial<Fault>][] = [
  ['a year that is a word', 'songs/dub.tsv', (t) => t.replace('1973', 'soon'), { line: 2, field: 'year' }],
  ['a year before records', 'songs/dub.tsv', (t) => t.replace('1973', '1066'), { line: 2, field: 'year' }],
  [
    'no title',
    'songs/dub.tsv',
    (t) => t.replace('\tTwo\t', '\t\t'),
    { line: 3, field: 'title', reason: 'is missing' },
  ],
  [
    'spaces at the ends',
    'songs/dub.tsv',
    (t) => t.replace('\tTwo\t', '\tTwo \t'),
    { line: 3, field: 'title' },
  ],
  [
    'a video id too short',
    'songs/dub.tsv',
    (t) => t.replace('abcdefghijk', 'abc'),
    { line: 2, field: 'youtube_id' },
  ],
  [
    'a Spotify id too long',
    'songs/ska.tsv',
    (t) => t.replace('0123456789', '01234567890'),
    { line: 2, field: 'spotify_id' },
  ],
  ['a key in capitals', 'songs/dub.tsv', (t) => t.replace('two', 'Two'), { line: 3, field: 'key' }],
  [
    'a cell too few',
    'songs/dub.tsv',
    (t) => t.replace('two\tTwo\tA\t\t\t\t', 'two\tTwo\tA\t\t\t'),
    { line: 3, field: null, reason: 'has 6 cells where the header has 7' },
  ],
  ['a cell too many', 'songs/dub.tsv', (t) => t.replace('180000', '180000\tx'), { line: 2, field: null }],
  ['an empty line', 'songs/dub.tsv', (t) => t.replace('two', '\ntwo'), { line: 3, field: null }],
  [
    'a column that is missing',
    'songs/dub.tsv',
    (t) => t.replace('artist', 'band'),
    { line: 1, field: 'artist', reason: 'column is missing: artist' },
  ],
  [
    'a column that nobody knows',
    'songs/ska.tsv',
    (t) => t.replace('duration_ms\n', 'duration_ms\tmood\n').replace('ijkl\t\n', 'ijkl\t\tsad\n'),
    { line: expect.any(Number) },
  ],
  ['an empty file', 'songs/dub.tsv', () => '', { line: 1, field: 'key' }],
  ['a colour by name', 'microgenres.tsv', (t) => t.replace('#112233', 'red'), { line: 2, field: 'color' }],
  [
    'an energy of no kind',
    'microgenres.tsv',
    (t) => t.replace('fast,weird', 'fast,wild'),
    { line: 3, field: expect.stringMatching(/^energy/) },
  ],
  [
    'no description',
    'microgenres.tsv',
    (t) => t.replace('Quick. Bright.', ''),
    { line: 3, field: 'description' },
  ],
  [
    'a microgenre twice',
    'microgenres.tsv',
    (t) => t.replace('Ska\tReggae', 'DUB\tReggae'),
    { line: 3, field: 'name', reason: "'dub' is already used in microgenres.tsv:2" },
  ],
  ['a colour twice', 'microgenres.tsv', (t) => t.replace('#332211', '#112233'), { line: 3, field: 'color' }],
  [
    'a microgenre without a file',
    'microgenres.tsv',
    (t) => `${t}jungle\tJungle\tBass\t#445566\tfast\tvocal\tindie\trhythmic\tA. B.\n`,
    { line: 4, field: 'key', reason: 'songs/jungle.tsv is missing' },
  ],
  [
    'a key twice',
    'songs/ska.tsv',
    (t) => t.replace('three', 'one'),
    { line: 2, field: 'key', reason: "'one' is already used in songs/dub.tsv:2" },
  ],
  [
    'a video id twice',
    'songs/ska.tsv',
    (t) => t.replace('1964\t\t', '1964\tabcdefghijk\t'),
    { line: 2, field: 'youtube_id' },
  ],
  ['a song twice', 'songs/ska.tsv', (t) => t.replace('Three\tB', 'ONE\ta'), { line: 2, field: 'title' }],
]

test.each(BROKEN)(
  '%s: the error names the file, the line, the field and the reason',
  (_, file, change, fault) => {
    const text = readFileSync(join(folder, file), 'utf8')
    expect(change(text)).not.toBe(text)
    write(file, change(text))

    const faults = faultsOf()
    expect(faults).toContainEqual(expect.objectContaining({ file, ...fault }))
    for (const { reason } of faults) expect(reason).toMatch(/\S/)
  },
)

test('a file of an unlisted microgenre is an error', () => {
  write('songs/jazz.tsv', HEADER)

  expect(faultsOf()).toEqual([
    { file: 'songs/jazz.tsv', line: 1, field: null, reason: 'microgenres.tsv has no row with this key' },
  ])
})

test('all errors are listed at once', () => {
  write('songs/dub.tsv', DUB.replace('1973', 'soon').replace('two', 'TWO'))
  write('songs/ska.tsv', SKA.replace('1964', '64 AD'))

  expect(faultsOf().map(({ file, line, field }) => `${file}:${line} ${field}`)).toEqual([
    'songs/dub.tsv:2 year',
    'songs/dub.tsv:3 key',
    'songs/ska.tsv:2 year',
  ])
  expect(() => readCatalogue(folder)).toThrow(
    /^The catalogue has 3 error\(s\)\. Nothing was loaded\.\n {2}songs\/dub\.tsv:2 year: /,
  )
})

test('a folder without a catalogue: the error names the missing file', () => {
  const empty = join(folder, 'empty')
  cpSync(join(folder, 'songs'), join(empty, 'songs'), { recursive: true })

  expect(() => readCatalogue(empty)).toThrow(/microgenres\.tsv/)
})

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text)
}

function faultsOf(): Fault[] {
  try {
    readCatalogue(folder)
  } catch (error) {
    if (error instanceof BadCatalogue) return error.faults
    throw error
  }
  return []
}
