import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { setUpFolder } from '../../tests/harness/setUpService.ts'
import { BadInput } from '../inputErrors.ts'
import { openRows, type ReadOptions } from './openRows.ts'
import { toPlainText } from './toPlainText.ts'

/* Files of songs, as other programs write them, too. */

const folder = setUpFolder()
const ONE = { title: 'First', artist: 'Björk' }
const TWO = { title: 'Second', artist: 'Ana, Ben' }
const THIRD = { title: 'Third\nline', artist: 'Cid' }
const CSV = 'title,artist\nFirst,Björk\nSecond,"Ana, Ben"\n'
const TSV = 'title\tartist\nFirst\tBjörk\nSecond\tAna, Ben\n'
const ITEMS = JSON.stringify([
  { ...ONE, year: '' },
  { ...TWO, microgenre: null },
])
const LINES = `${JSON.stringify(ONE)}\n${JSON.stringify(TWO)}`
const TRACK = '0aAaAaAaAaAaAaAaAaAaAa'
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test.each([
  ['songs.csv', CSV],
  ['songs.tsv', TSV],
  ['songs.json', ITEMS],
  ['songs.jsonl', LINES],
  ['wrapped.json', `{ "songs" : ${ITEMS}, "more": 1 }`],
  ['songs.ndjson', `${LINES}\n\n`],
  ['noname', TSV],
  ['noname.txt', CSV],
  ['nonames', ITEMS],
  ['noname-lines', LINES],
])('%s: the same songs, compressed or not', async (name, text) => {
  expect(cells(await read(name, text))).toEqual([ONE, TWO])
  expect(cells(await read(`${name}.gz`, gzipSync(text)))).toEqual([ONE, TWO])
  // By its content, not its name.
  expect(cells(await read(`packed-${name}`, gzipSync(text)))).toEqual([ONE, TWO])
})

test('--format takes precedence over the name', async () => {
  expect(cells(await read('songs.csv', TSV, { format: 'tsv' }))).toEqual([ONE, TWO])
})

test.each([
  'title,artist\r\nFirst,Björk\nSecond,"Ana, Ben"\r"Third\r\nline",Cid',
  'title,artist\rFirst,Björk\rSecond,"Ana, Ben"\r"Third\rline",Cid\r',
  [ONE, TWO, THIRD].map((song) => JSON.stringify(song)).join('\r'),
])('line ends of several systems: %j', async (text) => {
  expect(cells(await read('ends', text))).toEqual([ONE, TWO, THIRD])
})

test('a line end is one, wherever the file is cut', async () => {
  async function* bytes() {
    for (const byte of Buffer.from('a\r\nb\r\r\nc\n\rd')) yield Buffer.of(byte)
  }
  const parts: Buffer[] = []
  for await (const part of toPlainText(bytes(), Buffer.from('a'), undefined)) parts.push(part)

  expect(Buffer.concat(parts).toString()).toBe('a\nb\n\nc\n\nd')
})

test.each([
  ['sep=;', 'sep=;\r\ntitle;artist\r\nFirst;Björk\r\nSecond;Ana, Ben'],
  ['sep=| in quotes', '"sep=|"\ntitle|artist\nFirst|Björk\nSecond|Ana, Ben'],
  ['sep=,', 'sep=,\ntitle;year,artist\nFirst,Björk\nSecond,"Ana, Ben"', { columns: 'title=title;year' }],
  ['rows without a value', ';;\ntitle;artist;\nFirst;Björk;\n;;\nSecond;Ana, Ben;\n;;\n;;\n'],
  ['more empty cells than columns', 'title;artist\nFirst;Björk;;\nSecond;Ana, Ben;;\n'],
  ['an index column', ',title,artist\n0,First,Björk\n1,Second,"Ana, Ben"\n'],
  ['blanks after separators', 'TITLE, ARTIST\n"First", "Björk"\n"Second", "Ana, Ben"\n'],
  ['lists of artists', 'title,artists\nFirst,[\'Björk\']\nSecond,"[\'Ana\', ""Ben""]"\n'],
])('a spreadsheet or data frame with %s', async (_, text, options?: ReadOptions) => {
  expect(cells(await read('table.csv', text, options))).toEqual([ONE, TWO])
})

test.each([
  utf16(`\uFEFF${CSV}`),
  utf16(`\uFEFF${CSV}`).swap16(),
  utf16(CSV),
  utf16(CSV).swap16(),
  utf16(`\uFEFF${ITEMS}`),
  ...[CSV, TSV, ITEMS, LINES].map((text) => Buffer.from(`\uFEFF${text}`)),
  // The list of Music.app.
  utf16('\uFEFFName\tArtist\tAlbum\rFirst\tBjörk\t\rSecond\tAna, Ben\t\r'),
])('UTF-8 and UTF-16 are found, with and without a mark: %#', async (content) => {
  expect(cells(await read('encoded', content))).toEqual([ONE, TWO])
})

test('Windows-1252 is not guessed: a row with other letters is not read as something else', async () => {
  const content = Buffer.from(CSV, 'latin1')

  expect(cells(await read('windows.csv', content, { encoding: 'windows-1252' }))).toEqual([ONE, TWO])
  expect(cells(await read('windows.csv', content))).toEqual([{ ...ONE, artist: 'Bj\uFFFDrk' }, TWO])
})

test('a table from a spreadsheet: quotes within quotes, line ends in a cell, stray quotes', async () => {
  const text = 'title,artist\n"Say ""Hello""","One\nTwo"\n7" Mix,Nobody\n'

  expect(await read('quotes.csv', text)).toEqual([
    { line: 3, cells: { title: 'Say "Hello"', artist: 'One\nTwo' } },
    { line: 4, cells: { title: '7" Mix', artist: 'Nobody' } },
  ])
})

test.each(['"Second, third"', '"Say ""Hello"""', '"""Heroes"""'])(
  'a tab-separated cell that Excel has put in quotes is refused: %s',
  async (cell) => {
    const text = `title\tartist\n${cell}\tBjörk\n"Heroes"\tBjörk\n`
    const [row, heroes] = await read('quotes.tsv', text)

    expect(row).toMatchObject({ line: 2, fault: expect.stringContaining('--format csv') })
    expect(heroes).toMatchObject({ cells: { title: '"Heroes"' } })
    expect(cells(await read('quotes.tsv', text, { format: 'csv' }))[0]).toMatchObject({
      title: cell.slice(1, -1).replaceAll('""', '"'),
    })
    expect(cells(await read('quotes.tsv', `key\ttitle\na\t${cell}\nb\tNULL\n`))).toEqual([
      { key: 'a', title: cell },
      { key: 'b', title: 'NULL' },
    ])
  },
)

test.each(['NaN', 'None', 'NULL', 'null', 'N/A', '<NA>', '#N/A', '\\N'])('%s is a gap', async (gap) => {
  const [song, title, artist] = await read(
    'gaps.csv',
    `title,artist,microgenre,year,isrc\nFirst,Björk,${gap},${gap},${gap}\n${gap},Björk,,,\nFirst,${gap},,,\n`,
  )

  expect(song).toEqual({ line: 2, cells: ONE })
  expect(title).toMatchObject({
    line: 3,
    fault: expect.stringContaining(`has '${gap}' as title: empty the cell`),
  })
  expect(artist).toMatchObject({ line: 4, fault: expect.stringContaining(`has '${gap}' as artist`) })
  expect(cells(await read('gaps.json', JSON.stringify([{ title: gap, artist: gap, year: gap }])))).toEqual([
    { title: gap, artist: gap },
  ])
})

test('the key of a piece of music is not the key of a song', async () => {
  const csv = 'Track Name,Artist Name(s),Key,Mode,Tempo\nFirst,Björk,5,1,120.0\nSecond,"Ana, Ben",5,0,99\n'
  const json = JSON.stringify([ONE, TWO].map((song) => ({ ...song, key: 'am', bpm: 99 })))

  expect(cells(await read('keys.csv', csv))).toEqual([ONE, TWO])
  expect(cells(await read('keys.json', json))).toEqual([ONE, TWO])
  const [mapped] = cells(await read('keys.csv', csv, { columns: 'key=Key' }))
  expect(mapped).toMatchObject({ key: '5' })
})

test.each([
  ['Track Name|Artist(s)|Genre|YouTube ID|foo', 'artist microgenre title youtube_id', 'foo'],
  ['Track|Wer', 'artist title', '', 'artist=Wer'],
  ['MUSICBRAINZ_TRACKID|ISRC|MusicBrainz Album Id|Artist', 'artist isrc recording_mbid release_mbid', ''],
  ['a|b|title', 'artist title', 'title', 'title=b,artist=a'],
  ['song|title|band|artist', 'artist title', 'song band'],
  ['VIDEO_ID|Released|Duration (ms)|length', 'duration duration_ms year youtube_id', ''],
])("columns are found by other programs' names: %s", async (header, found, unused, columns?: string) => {
  const values = header.replace(/[^|]+/g, 'v')
  const rows = await openRows(write('columns.csv', `${header}\n${values}\n`), { columns })
  const [row] = await all(rows)

  expect(
    Object.keys(row && 'cells' in row ? row.cells : {})
      .sort()
      .join(' '),
  ).toBe(found)
  expect(rows.unused().join(' ')).toBe(unused)
})

const URI = `spotify:track:${TRACK}`
test.each([
  [
    "Spotify's library",
    `{"tracks":[{"artist":"Björk","album":1989,"track":"First","uri":"${URI}"}],"albums":[{"artist":"Björk","album":"Not a song","uri":"spotify:album:x"}],"bannedTracks":[{"artist":"Nobody","track":"Banned","uri":"${URI}"}]}`,
    [{ ...ONE, spotify_id: URI }],
  ],
  [
    "Spotify's playlists",
    `{"playlists":[{"name":"No song","items":[{"track":{"trackName":"First","artistName":"Björk","trackUri":"${URI}"},"localTrack":null},{"track":null,"localTrack":{"uri":"spotify:local:Ana:B:Tape:180"}},{"track":null,"episode":{"name":"No song"},"localTrack":null}]}]}`,
    [{ ...ONE, spotify_id: URI }, { spotify_id: 'spotify:local:Ana:B:Tape:180' }, {}],
  ],
  [
    "Spotify's history",
    '[{"ts":"2025-03-01T20:15:31Z","master_metadata_track_name":"First","master_metadata_album_artist_name":"Björk"},{"master_metadata_track_name":null,"episode_name":"No song"}]',
    [ONE, {}],
  ],
  [
    'Exportify',
    `\uFEFF"Track URI","Track Name","Artist Name(s)","Release Date","Duration (ms)","Added At","Genres"\n"${URI}","Second","Ana;Ben","1993-03-05","253573","2017-04-11T16:56:27Z","a,b"\n`,
    [{ ...TWO, spotify_id: URI, year: '1993-03-05', duration_ms: '253573' }],
  ],
  [
    'TuneMyMusic',
    `\uFEFFTrack name,Artist name,Album,Playlist name,Type,ISRC,Spotify - id\nFirst,Björk,A,F,Favorite,GBAAP8300001,${TRACK}\n`,
    [{ ...ONE, isrc: 'GBAAP8300001', spotify_id: TRACK }],
  ],
  // The day of a play is not the year of the song.
  ['Last.fm', 'artist,track,date\nBjörk,First,"01 Mar 2025, 20:15"\n', [ONE]],
])('%s', async (_, text, songs) => {
  expect(cells(await read('export', text))).toEqual(songs)
})

test('in JSON our own field names take precedence, in each object', async () => {
  const ours = { song: 'Other', title: 'Ours', artists: ['One', 'Two'], extra: { deep: 1 } }
  const rows = await openRows(write('names.json', JSON.stringify([ours, { song: 'Only' }])))

  expect(cells(await all(rows))).toEqual([{ title: 'Ours', artist: 'One, Two' }, { title: 'Only' }])
  expect(rows.unused()).toEqual(['extra'])
})

test.each([
  ['long.csv', 'title,artist\n', 'First,Björk\n'],
  ['long.json', '[', '{"title":"First","artist":"Björk"},'],
  ['long.jsonl', '', '{"title":"First","artist":"Björk"}\n'],
])('%s is streamed: only as much is read as the rows need', async (name, beginning, row) => {
  const rows = await openRows(write(name, beginning + row.repeat(200_000)))
  for await (const { line } of rows) if (line === 5000) break

  const { bytes, size } = rows.progress()
  expect(bytes).toBeLessThan((size ?? 0) / 2)
})

test('an invalid row is an error of its own, and the next row is read', async () => {
  expect(await read('bad.tsv', 'title\tartist\na\tb\tc\nd\n\ntitle\tartist\n')).toEqual([
    { line: 2, fault: 'has 3 cells where the header has 2' },
    { line: 3, fault: 'has 1 cells where the header has 2' },
    { line: 5, fault: 'repeats the first line' },
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
  ['open.csv', 'title,artist\na,b\n"c,d\ne,f\n', 'cannot be read from line 3 on: the row does not end.'],
  ['cut.json', '[{"title":"a"},{"title":', 'The file cannot be read from item 2 on:'],
  ['broken.json', '[{"title":"a"} {"title":"b"}]', 'The file cannot be read from item 2 on:'],
  ['endless.jsonl', `{"title":"${'a'.repeat(99_999)}`, 'from line 1 on: the row does not end.'],
  ['cut.csv.gz', gzipSync(CSV).subarray(0, -12), 'unexpected end of file'],
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

async function read(name: string, content: string | Buffer, options?: ReadOptions) {
  return all(await openRows(write(name, content), options))
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const row of rows) list.push(row)
  return list
}

const cells = (rows: Awaited<ReturnType<typeof read>>) =>
  rows.map((row) => ('cells' in row ? row.cells : row.fault))

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}
