import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCatalogue } from './readCatalogue.ts'
import { BadCatalogue, type Fault } from './readTable.ts'

const MICROGENRES =
  'key\tname\tfamily\tcolor\tenergy\tvocals\tfamiliarity\tmood\tdescription\n' +
  'dub\tDub\tReggae\t#112233\tslow\tinstrumental\tindie\trhythmic\tDeep. Wide.\n' +
  'ska\tSka\tReggae\t#332211\tfast,weird\tvocal\tindie\trhythmic\tQuick. Bright.\n'
const HEADER = 'key\ttitle\tartist\tyear\tyoutube_id\tspotify_id\tduration_ms\n'
const DUB = `${HEADER}one\tOne\tA\t1973\tabcdefghijk\t\t180000\ntwo\tTwo\tA\t\t\t\t\n`
const SKA = `${HEADER}three\tThree\tB\t1964\t\t0123456789abcdefghijkl\t\n`

/** DUB with further videos of each song. */
const withOthers = (...others: string[]) =>
  DUB.split('\n')
    .map((line, at) => (line ? `${line}\t${at === 0 ? 'other_youtube_ids' : (others[at - 1] ?? '')}` : ''))
    .join('\n')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  mkdirSync(join(folder, 'songs'))
  write('microgenres.tsv', MICROGENRES)
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
    relatives: [],
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
    other_youtube_ids: [],
    spotify_id: null,
    duration_ms: 180000,
  })
})

test('further videos of a song are read in their order, and only some files have the column', () => {
  write('songs/dub.tsv', withOthers('LMNOPQRSTUV,_bcdefghij-'))

  expect(readCatalogue(folder).songs.map((song) => song.other_youtube_ids)).toEqual([
    ['LMNOPQRSTUV', '_bcdefghij-'],
    [],
    [],
  ])
})

test('catalogue-23: relatives are other microgenres, each named once', () => {
  const relate = (dub: string, ska: string) =>
    MICROGENRES.replace('mood\t', 'mood\trelatives\t')
      .replace('\tDeep', `\t${dub}\tDeep`)
      .replace('\tQuick', `\t${ska}\tQuick`)
  write('microgenres.tsv', relate('ska', ''))
  expect(readCatalogue(folder).microgenres.map(({ relatives }) => relatives)).toEqual([['ska'], []])

  write('microgenres.tsv', relate('ska,ska,polka', 'ska'))
  const fault = (line: number, reason: string) => ({
    file: 'microgenres.tsv',
    line,
    field: 'relatives',
    reason,
  })
  expect(faultsOf()).toEqual([
    fault(2, "'ska' is the microgenre itself, or named twice"),
    fault(2, "'polka' is no microgenre"),
    fault(3, "'ska' is the microgenre itself, or named twice"),
  ])
})

test('Windows line ends and a byte-order mark change nothing', () => {
  write('version.json', '{ "number": 3 }')
  const plain = readCatalogue(folder)
  for (const file of ['microgenres.tsv', 'songs/dub.tsv', 'songs/ska.tsv']) {
    write(file, `\uFEFF${readFileSync(join(folder, file), 'utf8').replaceAll('\n', '\r\n')}`)
  }

  expect(readCatalogue(folder)).toEqual(plain)
})

const DUB_FILE = 'songs/dub.tsv'
const SKA_FILE = 'songs/ska.tsv'
const MICROGENRES_FILE = 'microgenres.tsv'
const JUNGLE = 'jungle\tJungle\tBass\t#445566\tfast\tvocal\tindie\trhythmic\tA. B.\n'

const OTHER_ID = expect.stringMatching(/^other_youtube_ids/)
const ELEVEN = Array.from({ length: 11 }, (_, n) => `LMNOPQRST${10 + n}`).join()

/** What replaces what in which file, and where the fault is. */
const INVALID_EDITS: [string, string, string | RegExp, string, number, string | null, string?][] = [
  ['a year that is a word', DUB_FILE, '1973', 'soon', 2, 'year'],
  ['a year before records', DUB_FILE, '1973', '1066', 2, 'year'],
  ['no title', DUB_FILE, '\tTwo\t', '\t\t', 3, 'title', 'is missing'],
  ['spaces at the ends', DUB_FILE, '\tTwo\t', '\tTwo \t', 3, 'title'],
  ['a video id too short', DUB_FILE, 'abcdefghijk', 'abc', 2, 'youtube_id'],
  ['a Spotify id too long', SKA_FILE, '0123456789', '01234567890', 2, 'spotify_id'],
  ['a key in capitals', DUB_FILE, 'two', 'Two', 3, 'key'],
  ['a cell too few', DUB_FILE, 'two\tTwo\tA\t', 'two\tTwo\tA', 3, null, 'has 6 cells where the header has 7'],
  ['a cell too many', DUB_FILE, '180000', '180000\tx', 2, null],
  ['an empty line', DUB_FILE, 'two', '\ntwo', 3, null],
  ['a column that is missing', DUB_FILE, 'artist', 'band', 1, 'artist', 'column is missing: artist'],
  ['a column that nobody knows', SKA_FILE, /(duration_ms|ijkl\t)(?=\n)/g, '$1\tmood', 2, null],
  ['an empty file', DUB_FILE, /^.*$/s, '', 1, 'key'],
  ['a colour by name', MICROGENRES_FILE, '#112233', 'red', 2, 'color'],
  ['an energy of no kind', MICROGENRES_FILE, 'fast,weird', 'fast,wild', 3, expect.stringMatching(/^energy/)],
  ['no description', MICROGENRES_FILE, 'Quick. Bright.', '', 3, 'description'],
  [
    'a microgenre twice',
    MICROGENRES_FILE,
    'Ska\tR',
    'DUB\tR',
    3,
    'name',
    "'dub' is already used in microgenres.tsv:2",
  ],
  ['a colour twice', MICROGENRES_FILE, '#332211', '#112233', 3, 'color'],
  ['a microgenre without a file', MICROGENRES_FILE, /$/, JUNGLE, 4, 'key', 'songs/jungle.tsv is missing'],
  ['a key twice', SKA_FILE, 'three', 'one', 2, 'key', "'one' is already used in songs/dub.tsv:2"],
  ['a video id twice', SKA_FILE, '1964\t\t', '1964\tabcdefghijk\t', 2, 'youtube_id'],
  ['further videos by spaces', DUB_FILE, /^.*$/s, withOthers('LMNOPQRSTUV _bcdefghij-'), 2, OTHER_ID],
  ['a further video too short', DUB_FILE, /^.*$/s, withOthers('LMNOPQRSTUV,LMNOPQRSTU'), 2, OTHER_ID],
  ['eleven further videos', DUB_FILE, /^.*$/s, withOthers(ELEVEN), 2, 'other_youtube_ids'],
  ['the first video again', DUB_FILE, /^.*$/s, withOthers('abcdefghijk'), 2, 'other_youtube_ids'],
  ['a further video twice', DUB_FILE, /^.*$/s, withOthers('LMNOPQRSTUV,LMNOPQRSTUV'), 2, 'other_youtube_ids'],
  ['further videos alone', DUB_FILE, /^.*$/s, withOthers('', 'LMNOPQRSTUV'), 3, 'other_youtube_ids'],
  ['a song twice', SKA_FILE, 'Three\tB', 'ONE\ta', 2, 'title'],
]

test.each(INVALID_EDITS)(
  '%s: the error names the file, the line, the field and the reason',
  (_, file, from, to, line, field, reason = expect.stringMatching(/\S/)) => {
    const text = readFileSync(join(folder, file), 'utf8')
    expect(text.replace(from, to)).not.toBe(text)
    write(file, text.replace(from, to))

    expect(faultsOf()).toContainEqual({ file, line, field, reason })
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
