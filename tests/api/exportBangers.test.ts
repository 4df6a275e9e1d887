import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { countExport, type ExportForm, exportBangers } from '../../contract/exports.ts'
import { type MadeMicrogenre, makeMicrogenre, writeRatings } from '../factories.ts'
import { refusePlaylist } from '../harness/listenBrainzPlaylist.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { pathOf, refusal } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
/** One song for each, the last rated first; and how it stands in a file, if otherwise. */
const HOSTILE: [title: string, artist: string, ...clean: string[]][] = [
  ['=HYPERLINK("http://evil.example")', '@SUM(1)'],
  ['+1', '-1'],
  ['\t=1+1', '\r=2', '=1+1', '=2'],
  ['<![CDATA[&amp;]]> &lt;', '"Tom" & <Jerry>'],
  ['a\u0001b\u001F\uFFFE', 'c\u200Bd', 'a b', 'cd'],
  ['月光', '邓丽君'],
  ['أنت عمري', 'أم كلثوم'],
  ['Two\nlines', '#EXTINF:1,\r\nhttp://evil.example', 'Two lines', '#EXTINF:1, http://evil.example'],
]
const CLEAN = HOSTILE.map((song) => song.slice(-2))
let hostile: MadeMicrogenre
let videos: MadeMicrogenre

beforeAll(async () => {
  hostile = await makeMicrogenre(app.db, HOSTILE.length + 1)
  for (const [n, [title, artist]] of HOSTILE.entries())
    await app.db`update songs set title = ${title}, artist = ${artist} where id = ${hostile.songs[n] ?? ''}`
  // Two have a recording, three an ISRC, four an address; a video has one of the recordings.
  await app.db`
    update songs set deezer_track_id = 100 + seq, duration_ms = 214499 + seq,
      isrc = case when seq < 3 then 'GBAAP830000' || seq end,
      youtube_id = case when seq = 1 then '-abcdefghi_' end,
      recording_mbid = case when seq < 2 then '11111111-1111-4111-8111-11111111111' || seq end
    where microgenre_id = ${hostile.id} and seq < 4`
  videos = await makeMicrogenre(app.db, 101)
  await app.db`update songs set youtube_id = 'video' || lpad(seq::text, 6, '0') where microgenre_id = ${videos.id}`
})

async function download(
  form: ExportForm,
  query: { microgenre?: string; search?: string; sort?: 'artist' } = {},
) {
  const answer = await ada.raw(pathOf(exportBangers, { query: { form, ...query } } as never))
  expect(answer.status).toBe(200)
  return answer
}

/** Bangers in the order of the microgenre, but for its last song, which is a bust. */
const rateHostile = () => writeRatings(app.db, ada.id, [...hostile.songs].reverse(), (n) => n > 0)

test('library-32: it counts the songs that each form can carry, and refuses visitors', async () => {
  await rateHostile()
  const { body } = await ada.call(countExport)
  expect(body).toEqual({ songs: 8, isrc: 3, recordingMbid: 2, address: 4, video: 1 })
  const found = await ada.call(countExport, { query: { search: 'TOM jerry' } })
  expect(found.body).toEqual({ songs: 1, isrc: 0, recordingMbid: 0, address: 1, video: 0 })
  expect((await app.visitor().call(countExport)).status).toBe(401)
  expect((await app.visitor().raw(`${exportBangers.path}?form=csv`)).status).toBe(401)
  expect((await ada.raw(`${exportBangers.path}?form=exe`)).status).toBe(400)
})

test('library-32: a spreadsheet runs nothing of the CSV, which has ISRC and MBID', async () => {
  await rateHostile()
  const { headers, text } = await download('csv')
  expect(headers['content-disposition']).toBe('attachment; filename="bangers.csv"')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true })
  for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  const names = rows.map(({ title, artist }) => [title, artist].map((cell) => cell?.replace(/^'/, '')))
  expect(names).toEqual(CLEAN)
  expect(rows[1]).toMatchObject({
    isrc: 'GBAAP8300001',
    mbid: '11111111-1111-4111-8111-111111111111',
    deezer: 'https://www.deezer.com/track/101',
    microgenre: hostile.name,
  })
})

test('library-32: ListenBrainz accepts the JSPF, which has the songs with a recording', async () => {
  await rateHostile()
  const jspf = JSON.parse((await download('jspf')).text) as {
    playlist: { title: string; track: { title: string; identifier: string[] }[] }
  }
  expect(refusePlaylist(jspf)).toBeNull()
  expect(jspf.playlist.track.map(({ title }) => title)).toEqual([CLEAN[0]?.[0], CLEAN[1]?.[0]])
  const [track] = jspf.playlist.track
  expect(
    refusePlaylist({ playlist: { ...jspf.playlist, track: [{ ...track, identifier: 'x' }] } }),
  ).not.toBeNull()
})

test('library-32: the XSPF is XML with every song, valid by the schema of XSPF 1', async () => {
  await rateHostile()
  const { text } = await download('xspf')
  const tracks = await app.db<{ title: string; artist: string }[]>`
    select t.title, t.artist from xmltable(xmlnamespaces('http://xspf.org/ns/0/' as x),
      '/x:playlist[@version="1" and x:title]/x:trackList/x:track' passing xmlparse(document ${text}::text)
      columns title text path 'x:title', artist text path 'x:creator') t`
  expect(tracks.map(({ title, artist }) => [title, artist])).toEqual(CLEAN)
  const ORDER =
    /^<track>(<location>https:[^<]+<\/location>)?(<identifier>[^<]+<\/identifier>)?<title>[^<]+<\/title><creator>[^<]+<\/creator><annotation>[^<]+<\/annotation>(<duration>\d+<\/duration>)?<\/track>$/
  const [declaration, , head, ...lines] = text.trim().split('\n')
  expect(declaration).toBe('<?xml version="1.0" encoding="UTF-8"?>')
  expect(head).toMatch(/^<title>[^<]+<\/title><creator>[^<]+<\/creator><trackList>$/)
  expect(lines.pop()).toBe('</trackList></playlist>')
  for (const line of lines) expect(line).toMatch(ORDER)
  // xs:anyURI
  const addresses = text.match(/(?<=<(?:location|identifier)>)[^<]*/g) ?? []
  expect(addresses.filter((address) => !URL.canParse(address) || /[\s<>"{}|\\^`]/.test(address))).toEqual([])
})

test('library-32: M3U8 has two lines a song, and plain text one', async () => {
  await rateHostile()
  expect((await download('m3u8')).text.split('\n').slice(0, 6)).toEqual([
    '#EXTM3U',
    '#PLAYLIST:My bangers',
    `#EXTINF:214,${CLEAN[0]?.[1]} - ${CLEAN[0]?.[0]}`,
    'https://www.deezer.com/track/100',
    '#EXTINF:215,-1 - +1',
    'https://www.youtube.com/watch?v=-abcdefghi_',
  ])
  const { text } = await download('text')
  expect(text).toBe(CLEAN.map(([title, artist]) => `${artist} - ${title}\n`).join(''))
})

test.each([
  [51, [50, 1]],
  [101, [50, 50, 1]],
])('library-32: %i videos are in addresses of %j', async (songs, expected) => {
  await writeRatings(app.db, ada.id, videos.songs.slice(0, songs), () => true)
  const { headers, text } = await download('youtube')
  expect(headers['content-disposition']).toBe('attachment; filename="bangers.youtube.txt"')
  const addresses = text
    .trim()
    .split('\n')
    .map((address) => new URL(address))
  const lists = addresses.map(({ searchParams }) => searchParams.get('video_ids')?.split(','))
  expect(lists.map((ids) => ids?.length)).toEqual(expected)
  expect(new Set(lists.flat()).size).toBe(songs)
})

test('library-32: microgenre, search and sort choose and order the songs; names are safe', async () => {
  const genre = await makeMicrogenre(app.db, 12)
  const name = 'Été "Dub"/../\r\nX: y'
  await app.db`update microgenres set name = ${name} where id = ${genre.id}`
  await writeRatings(app.db, ada.id, [...genre.songs, ...hostile.songs], () => true)
  const { headers, text } = await download('text', { microgenre: genre.id, search: 'song 1', sort: 'artist' })
  expect(headers['content-disposition']).toBe('attachment; filename="bangers-ete-dub-x-y.txt"')
  expect(text).toBe([1, 10, 11].map((n) => `Artist ${n} - Song ${n}\n`).join(''))
  const empty = await download('xspf', { microgenre: '999999999' })
  expect(empty.text).toContain('<trackList>\n</trackList>')
  expect((await ada.raw(`${exportBangers.path}?form=text&microgenre=1%27`)).status).toBe(400)
})

test('library-32: a long library is whole, also when all ratings have the same time', async () => {
  const genre = await makeMicrogenre(app.db, 1100)
  await writeRatings(app.db, ada.id, genre.songs, () => true)
  await app.db`update ratings set rated_at = '2026-01-01 00:00:00.123456Z' where user_id = ${ada.id}`
  const { text } = await download('text')
  expect(new Set(text.trim().split('\n')).size).toBe(1100)
})

test('limits-2: the 61st download of playlists within an hour answers 429, as does the 201st count', async () => {
  await download('csv')
  await ada.call(countExport)
  await app.db`update limit_counters set count = 60 where key = ${`playlist-download:${ada.id}`}`
  await app.db`update limit_counters set count = 200 where key = ${`playlist-count:${ada.id}`}`
  expect(await ada.raw(`${exportBangers.path}?form=csv`)).toMatchObject(
    refusal(429, 'You have downloaded many playlists. Please wait an hour.'),
  )
  expect((await ada.call(countExport)).status).toBe(429)
})
