import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUpFolder } from '../../tests/harness/setUpService.ts'
import { openRows, type ReadOptions } from './openRows.ts'
import { toPlainText } from './toPlainText.ts'

/* Files as other programs write them. */

const folder = setUpFolder()
const ONE = { title: 'First', artist: 'Björk' }
const TWO = { title: 'Second', artist: 'Ana, Ben' }
const TRACK = '0aAaAaAaAaAaAaAaAaAaAa'

test.each([
  ['several line ends', 'title,artist\r\nFirst,Björk\nSecond,"Ana, Ben"\r"Third\r\nline",Cid'],
  ['returns alone', 'title,artist\rFirst,Björk\rSecond,"Ana, Ben"\r"Third\rline",Cid\r'],
  [
    'several in JSON lines',
    [ONE, TWO, { title: 'Third\nline', artist: 'Cid' }].map((song) => JSON.stringify(song)).join('\r'),
  ],
])('line ends: %s', async (_, text) => {
  const songs = [ONE, TWO, { title: 'Third\nline', artist: 'Cid' }]

  expect(cells(await read('ends', text))).toEqual(songs)
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
  const json = JSON.stringify([
    { ...ONE, key: 'am', bpm: 120 },
    { ...TWO, key: 'am', bpm: 99 },
  ])

  expect(cells(await read('keys.csv', csv))).toEqual([ONE, TWO])
  expect(cells(await read('keys.json', json))).toEqual([ONE, TWO])
  expect(cells(await read('keys.csv', csv, { columns: 'key=Key' }))).toMatchObject([
    { key: '5' },
    { key: '5' },
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

test('files that were joined repeat the first line, which is no song', async () => {
  expect(await read('joined.csv', 'title,artist\nFirst,Björk\ntitle,artist\nSecond,"Ana, Ben"\n')).toEqual([
    { line: 2, cells: ONE },
    { line: 3, fault: 'repeats the first line' },
    { line: 4, cells: TWO },
  ])
})

const CSV = 'title,artist\nFirst,Björk\nSecond,"Ana, Ben"\n'
const JSON_ARRAY = JSON.stringify([ONE, TWO])
test.each([
  ['UTF-16LE with a mark', Buffer.from(`\uFEFF${CSV}`, 'utf16le')],
  ['UTF-16BE with a mark', Buffer.from(`\uFEFF${CSV}`, 'utf16le').swap16()],
  ['UTF-16LE', Buffer.from(CSV, 'utf16le')],
  ['UTF-16BE', Buffer.from(CSV, 'utf16le').swap16()],
  ['UTF-16 JSON', Buffer.from(`\uFEFF${JSON_ARRAY}`, 'utf16le')],
  ['UTF-8 with a mark', `\uFEFF${CSV}`],
  ['UTF-8 JSON with a mark', `\uFEFF${JSON_ARRAY}`],
  ['Windows-1252, named', Buffer.from(CSV, 'latin1'), { encoding: 'windows-1252' }],
  [
    "Apple Music's list",
    Buffer.from('\uFEFFName\tArtist\tAlbum\rFirst\tBjörk\t\rSecond\tAna, Ben\t\r', 'utf16le'),
  ],
])('encodings: %s', async (_, content, options?: ReadOptions) => {
  expect(cells(await read('encoded', content, options))).toEqual([ONE, TWO])
})

test('Windows-1252 is not guessed: a row with other letters is not read as something else', async () => {
  expect(cells(await read('windows.csv', Buffer.from(CSV, 'latin1')))).toEqual([
    { title: 'First', artist: 'Bj\uFFFDrk' },
    TWO,
  ])
})

test.each([
  [
    "Spotify's library",
    JSON.stringify(
      {
        tracks: [
          { artist: 'Björk', album: 1989, track: 'First', uri: `spotify:track:${TRACK}` },
          { artist: 'Ana, Ben', album: 'Other', track: 'Second', uri: `spotify:track:${TRACK}` },
        ],
        albums: [{ artist: 'Björk', album: 'Not a song', uri: 'spotify:album:x' }],
        bannedTracks: [{ artist: 'Nobody', track: 'Banned', uri: 'spotify:track:x' }],
      },
      null,
      2,
    ),
    [
      { ...ONE, spotify_id: `spotify:track:${TRACK}` },
      { ...TWO, spotify_id: `spotify:track:${TRACK}` },
    ],
  ],
  [
    "Spotify's playlists",
    JSON.stringify({
      playlists: [
        {
          name: 'Not a song',
          items: [
            {
              track: { trackName: 'First', artistName: 'Björk', trackUri: 'spotify:track:x' },
              localTrack: null,
            },
            { track: null, localTrack: { uri: 'spotify:local:Ana:B:Tape:180' } },
            { track: null, episode: { name: 'Not a song' }, localTrack: null },
          ],
        },
      ],
    }),
    [{ ...ONE, spotify_id: 'spotify:track:x' }, { spotify_id: 'spotify:local:Ana:B:Tape:180' }, {}],
  ],
  [
    "Spotify's history",
    JSON.stringify([
      {
        ts: '2025-03-01T20:15:31Z',
        master_metadata_track_name: 'First',
        master_metadata_album_artist_name: 'Björk',
      },
      { ts: '2025-03-02T07:00:00Z', master_metadata_track_name: null, episode_name: 'Not a song' },
    ]),
    [ONE, {}],
  ],
  [
    'Exportify',
    `\uFEFF"Track URI","Track Name","Artist Name(s)","Release Date","Duration (ms)","Added At","Genres"\n"spotify:track:${TRACK}","Second","Ana;Ben","1993-03-05","253573","2017-04-11T16:56:27Z","a,b"\n`,
    [{ ...TWO, spotify_id: `spotify:track:${TRACK}`, year: '1993-03-05', duration_ms: '253573' }],
  ],
  [
    'TuneMyMusic',
    `\uFEFFTrack name,Artist name,Album,Playlist name,Type,ISRC,Spotify - id\n"First","Björk","A","Favorites","Favorite","GBAAP8300001","${TRACK}"\n`,
    [{ ...ONE, isrc: 'GBAAP8300001', spotify_id: TRACK }],
  ],
  [
    'YouTube Music',
    'Video ID,Song Title,Album Title,Artist Name 1,Artist Name 2\nc1GxjzHm5us,First,A,Björk,\n',
    [{ ...ONE, youtube_id: 'c1GxjzHm5us' }],
  ],
  [
    'Last.fm: the day of a play is not the year of the song',
    'artist,track,date\nBjörk,First,"01 Mar 2025, 20:15"\n',
    [ONE],
  ],
])('%s', async (_, text, songs) => {
  expect(cells(await read('export', text))).toEqual(songs)
})

async function read(name: string, content: string | Buffer, options?: ReadOptions) {
  const file = join(folder, name)
  writeFileSync(file, content)
  const rows = []
  for await (const row of await openRows(file, options)) rows.push(row)
  return rows
}

const cells = (rows: Awaited<ReturnType<typeof read>>) =>
  rows.map((row) => ('cells' in row ? row.cells : row.fault))
