import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BadInput } from '../inputErrors.ts'
import { openRows, type ReadOptions } from './openRows.ts'
import type { ReadRow } from './read.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rows-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const HURDY = { title: 'Hurdy Gurdy Man', artist: 'Donovan', microgenre: 'folk', year: '1968' }
const PIGS = { title: 'Pigs, in “Zen”', artist: "Jane's Addiction", youtube_id: 'abc-EFG_123' }
const TSV =
  "title\tartist\tmicrogenre\tyear\tyoutube_id\nHurdy Gurdy Man\tDonovan\tfolk\t1968\t\nPigs, in “Zen”\tJane's Addiction\t\t\tabc-EFG_123\n"
const CSV = `title,artist,microgenre,year,youtube_id\nHurdy Gurdy Man,Donovan,folk,1968,\n"Pigs, in “Zen”",Jane's Addiction,,,abc-EFG_123\n`
const ITEMS = JSON.stringify([
  { ...HURDY, year: 1968 },
  { ...PIGS, microgenre: null, year: '' },
])
const LINES = [HURDY, PIGS].map((song) => JSON.stringify(song)).join('\n')

test.each([
  ['songs.tsv', TSV],
  ['songs.csv', CSV],
  ['songs.json', ITEMS],
  ['wrapped.json', `{ "songs" : ${ITEMS}, "more": 1 }`],
  ['songs.jsonl', LINES],
  ['songs.ndjson', `${LINES}\n\n`],
  ['windows.csv', CSV.replaceAll('\n', '\r\n')],
  ['mark.csv', `\uFEFF${CSV}`],
  ['mark.tsv', `\uFEFF${TSV}`],
  ['mark.jsonl', `\uFEFF${LINES}`],
  ['semicolons.csv', `title;artist;microgenre;year;youtube_id\n${rest(CSV).replaceAll(/,(?! )/g, ';')}`],
  ['noname', TSV],
  ['noname.txt', CSV],
  ['nonames', ITEMS],
  ['noname-lines', LINES],
])('%s: the same songs, compressed or not', async (name, text) => {
  const songs = [HURDY, PIGS]

  expect(cells(await read(name, text))).toEqual(songs)
  expect(cells(await read(`${name}.gz`, gzipSync(text)))).toEqual(songs)
  // By its content, not its name.
  expect(cells(await read(`packed-${name}`, gzipSync(text)))).toEqual(songs)
})

test('--format takes precedence over the name', async () => {
  expect(cells(await read('songs.csv', TSV, { format: 'tsv' }))).toEqual([HURDY, PIGS])
})

test('a table from a spreadsheet: quotes within quotes, line ends in a cell, stray quotes', async () => {
  const text = 'title,artist\n"Say ""Hello""","One\nTwo"\n7" Mix,Nobody\n'

  expect(await read('quotes.csv', text)).toEqual([
    { line: 3, cells: { title: 'Say "Hello"', artist: 'One\nTwo' } },
    { line: 4, cells: { title: '7" Mix', artist: 'Nobody' } },
  ])
})

test('a quote is an ordinary character in tab-separated tables', async () => {
  expect(cells(await read('heroes.tsv', 'title\tartist\n"Heroes"\tDavid Bowie\n"Open\tBand\n'))).toEqual([
    { title: '"Heroes"', artist: 'David Bowie' },
    { title: '"Open', artist: 'Band' },
  ])
})

test.each([
  [
    {},
    'Track Name\tArtist(s)\tGenre\tYouTube ID\tfoo\n',
    ['title', 'artist', 'microgenre', 'youtube_id'],
    ['foo'],
  ],
  [{ columns: 'artist=Wer' }, 'Track\tWer\n', ['title', 'artist'], []],
  [
    {},
    'MUSICBRAINZ_TRACKID\tISRC\tMusicBrainz Album Id\tMusicBrainz Artist Id\n',
    ['recording_mbid', 'isrc', 'release_mbid'],
    ['MusicBrainz Artist Id'],
  ],
  [{ columns: 'title=b,artist=a' }, 'a\tb\ttitle\n', ['artist', 'title'], ['title']],
  [{}, 'song\ttitle\tband\tartist\n', ['title', 'artist'], ['song', 'band']],
  [{}, 'VIDEO_ID\tReleased\tDuration (ms)\tlength\n', ['youtube_id', 'year', 'duration_ms', 'duration'], []],
])("columns are found by other programs' names: %j %j", async (options, header, found, unused) => {
  const values = header
    .trim()
    .split('\t')
    .map((_, index) => `v${index}`)
  const file = write('columns.tsv', `${header}${values.join('\t')}\n`)
  const rows = await openRows(file, options)
  const [row] = await all(rows)

  expect(Object.keys(row && 'cells' in row ? row.cells : {}).sort()).toEqual([...found].sort())
  expect(rows.unused()).toEqual(unused)
})

test('in JSON our own field names take precedence, in each object', async () => {
  const text = JSON.stringify([
    { song: 'Other', title: 'Ours', artists: ['One', 'Two'], extra: { deep: 1 } },
    { song: 'Only' },
  ])
  const file = write('names.json', text)
  const rows = await openRows(file)

  expect(cells(await all(rows))).toEqual([{ title: 'Ours', artist: 'One, Two' }, { title: 'Only' }])
  expect(rows.unused()).toEqual(['extra'])
})

test('an invalid row is an error of its own, and the next row is read', async () => {
  expect(await read('bad.tsv', 'title\tartist\na\tb\tc\nd\n\ne\tf\n')).toEqual([
    { line: 2, fault: 'has 3 cells where the header has 2' },
    { line: 3, fault: 'has 1 cells where the header has 2' },
    { line: 5, cells: { title: 'e', artist: 'f' } },
  ])
  expect(
    await read('bad.jsonl', '{"title":"a"}\n{"title":\n[1]\n{"title":{"en":"x"}}\n{"title":"b"}'),
  ).toEqual([
    { line: 1, cells: { title: 'a' } },
    { line: 2, fault: 'is not JSON' },
    { line: 3, fault: 'is not an object' },
    { line: 4, fault: "must have text or a number in 'title'" },
    { line: 5, cells: { title: 'b' } },
  ])
  expect(await read('bad.json', '[1, {"title":"a"}, null]')).toEqual([
    { line: 1, fault: 'is not an object' },
    { line: 2, cells: { title: 'a' } },
    { line: 3, fault: 'is not an object' },
  ])
})

test.each([
  ['empty.csv', '', 'The file is empty.'],
  ['songs.xlsx', 'PK\x03\x04\x14', 'The file is a workbook or an archive.'],
  ['library.json', '{"title":\n"a"}', 'The file has no song in a list that is named songs, tracks, items'],
  ['foreign.csv', 'a,b\n1,2\n', 'The first line must name the columns'],
  [
    'open.csv',
    'title,artist\na,b\n"c,d\ne,f\n',
    'The file cannot be read from line 3 on: the row does not end.',
  ],
  ['cut.json', '[{"title":"a"},{"title":', 'The file cannot be read from item 2 on:'],
  ['broken.json', '[{"title":"a"} {"title":"b"}]', 'The file cannot be read from item 2 on:'],
  ['cut.csv.gz', gzipSync(CSV.repeat(50)).subarray(0, 100), 'from line 2 on: unexpected end of file'],
])('%s cannot be read further, and the error says so', async (name, content, message) => {
  await expect(read(name, content)).rejects.toThrow(BadInput)
  await expect(read(name, content)).rejects.toThrow(message)
})

test.each([
  ['no-such-file.csv', {}, "There is no file '"],
  ['.', {}, 'is a folder'],
  ['songs.tsv', { format: 'xlsx' }, "--format must be csv, tsv, json or jsonl, not 'xlsx'."],
  ['songs.tsv', { encoding: 'ansi' }, "not 'ansi'"],
  ['songs.tsv', { columns: 'titel=Track' }, "separated by commas, not 'titel=Track'"],
  ['songs.tsv', { columns: 'title' }, '--columns expects OURS=THEIRS'],
] as const)('%s %j: a clear error', async (name, options, message) => {
  write('songs.tsv', TSV)
  const reading = openRows(join(folder, name), options).then(all)

  await expect(reading).rejects.toThrow(BadInput)
  await expect(reading).rejects.toThrow(message)
})

async function read(name: string, content: string | Buffer, options?: ReadOptions): Promise<ReadRow[]> {
  return all(await openRows(write(name, content), options))
}

async function all(rows: AsyncIterable<ReadRow>): Promise<ReadRow[]> {
  const list: ReadRow[] = []
  for await (const row of rows) list.push(row)
  return list
}

const cells = (rows: ReadRow[]) => rows.map((row) => ('cells' in row ? row.cells : row.fault))

function rest(text: string): string {
  return text.slice(text.indexOf('\n') + 1)
}

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}
