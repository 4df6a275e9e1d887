import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { listRatings } from '../../contract/library.ts'
import { type ImportCounts, type ImportOptions, importSongs } from '../../server/catalogue/importSongs.ts'
import { loadCatalogue } from '../../server/catalogue/loadCatalogue.ts'
import { startDryRun } from '../../server/catalogue/startDryRun.ts'
import { BadInput } from '../../server/inputErrors.ts'
import { openRows, type ReadOptions } from '../../server/songFiles/openRows.ts'
import type { ReadRow, RowFault } from '../../server/songFiles/read.ts'
import { foldAllSongs } from '../../server/suggestions/catalogueSongs.ts'
import { findMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpService.ts'
import { testCatalogue, testSong } from '../harness/testCatalogue.ts'
import { withConnection } from '../harness/testCluster.ts'
import { scaled } from '../harness/tier.ts'

const app = setUpApp()
const folder = setUpFolder()

/** After every test: no holes in the order of songs, and correct counts. */
afterEach(async () => {
  const broken = await app.db`
    select m.key from microgenres m left join songs s on s.microgenre_id = m.id group by m.id
    having count(s.id) <> count(distinct s.seq) or coalesce(max(s.seq) + 1, 0) <> m.song_count
      or count(s.id) filter (where s.retired_at is null) <> m.live_song_count`
  expect([...broken]).toEqual([])
})

test('an import adds songs, and another of the same songs finds them', async () => {
  const file = JSON.stringify([
    {
      title: 'One',
      artist: 'Ann, "the" Singer',
      microgenre: 'Zydeco',
      youtube_id: 'formats-__1',
      year: 1999,
    },
    { title: 'Two\\', artist: 'Ben\\n', microgenre: 'bossa nova', spotify_id: `${'F'.repeat(21)}1` },
    { title: 'Três', artist: 'João', microgenre: 'bossa-nova' },
  ])
  const noCounts = { differing: 0, rejected: 0, newMicrogenres: 0, wasInterrupted: false }
  const added = { ...noCounts, rows: 3, added: 3, changed: 0, unchanged: 0 }
  expect(await importText('songs.json', file)).toEqual({ counts: added, rejected: [] })
  const before = await songs()
  const imported = before.filter(({ source }) => source === 'import')
  expect(imported.map(({ title, artist }) => `${artist}: ${title}`)).toEqual(
    expect.arrayContaining(['Ann, "the" Singer: One', 'Ben\\n: Two\\', 'João: Três']),
  )

  const unchanged = { ...added, added: 0, unchanged: 3 }
  expect(await importText('songs.json', file)).toEqual({ counts: unchanged, rejected: [] })
  expect(await songs()).toEqual(before)
})

test('invalid lines are rejected with line, field and reason, and valid ones imported', async () => {
  const { counts, rejected } = await importText(
    'bad.tsv',
    [
      'title\tartist\tmicrogenre\tyoutube_id\tyear',
      'Good\tBand\tzydeco\tbadlines__1\t1990',
      'No such genre\tBand\tpolka\t\t',
      'No genre\tBand\t\t\t',
      '\tBand\tzydeco\tbadlines__2\t',
      'No artist\t\tzydeco\tbadlines__3\t',
      'Short id\tBand\tzydeco\tabc\t',
      'Bad year\tBand\tzydeco\tbadlines__4\t12',
      'Too\tmany\tzydeco\tbadlines__5\t1990\tcells',
      'Bj\uFFFDrk\tBand\tzydeco\t\t',
      'Good again\tBand\tzydeco\tbadlines__6\t',
    ].join('\n'),
  )

  expect(counts).toMatchObject({ rows: 10, added: 2, changed: 0, rejected: 8 })
  expect(rejected.map(({ line, field, reason, value }) => [line, field, reason, value])).toEqual([
    [3, 'microgenre', 'is not in the catalogue', 'polka'],
    [4, 'microgenre', 'is missing', null],
    [5, 'title', 'is missing', null],
    [6, 'artist', 'is missing', null],
    [7, 'youtube_id', 'must be a YouTube id of 11 characters, or empty', 'abc'],
    [8, 'year', expect.stringContaining('1890'), '12'],
    [9, null, 'has 6 cells where the header has 5', null],
    [10, 'title', expect.stringContaining('is not valid UTF-8'), null],
  ])
})

test('songs are merged by key, YouTube id and Spotify id, never by the title alone', async () => {
  const song = { title: 'Merge', artist: 'Mia', microgenre: 'zydeco' }
  const spotify_id = `${'M'.repeat(21)}1`
  await importList([{ ...song, key: 'merge-me', youtube_id: 'merging_-_1' }])

  // The same title by the same artist with another video is another song.
  expect((await importList([{ ...song, youtube_id: 'merging_-_2' }])).counts).toMatchObject({ added: 1 })
  // Found by video and given its Spotify id; then found by that and given the year; then found by key.
  expect((await importList([{ youtube_id: 'merging_-_1', spotify_id }])).counts).toMatchObject({ changed: 1 })
  expect((await importList([{ spotify_id, year: 1977 }])).counts).toMatchObject({ changed: 1 })
  expect((await importList([{ key: 'merge-me', duration: '2:00' }])).counts).toMatchObject({ changed: 1 })

  const merged = { title: 'Merge', youtubeId: 'merging_-_1', spotifyId: spotify_id, year: 1977 }
  expect(await songOf('merge-me')).toMatchObject({ ...merged, durationMs: 120_000 })
})

test('catalogue-1: a song is found by its recording, and a recording belongs to one song', async () => {
  const song = { title: 'Same Take', artist: 'Rae', microgenre: 'zydeco' }
  const recording = '11111111-1111-4111-8111-111111111111'
  const other = '22222222-2222-4222-8222-222222222222'
  await importList([{ ...song, key: 'same-take', youtube_id: 'recording_1' }])

  // Filled in, found by it in another spelling, and kept. An ISRC may have hyphens, and two songs may share it.
  const address = `https://musicbrainz.org/recording/${recording.toUpperCase()}`
  const isrc = 'GB-AAP-83-00001'
  expect((await importList([{ key: 'same-take', recording_mbid: address, isrc }])).counts).toMatchObject({
    changed: 1,
  })
  expect(
    (await importList([{ recording_mbid: recording, release_mbid: other, title: 'SAME TAKE' }])).counts,
  ).toMatchObject({ changed: 1, differing: 1 })
  expect((await importList([{ ...song, recording_mbid: other, isrc }])).counts).toMatchObject({ added: 1 })
  const expectedIds = { recordingMbid: recording, isrc: 'GBAAP8300001', releaseMbid: other }
  expect(await songOf('same-take')).toMatchObject({ ...expectedIds, title: 'Same Take', source: 'import' })

  const before = await songs()
  const stolen = await importList(
    [
      { key: 'same-take', recording_mbid: other },
      { ...song, title: 'Twice', recording_mbid: '33333333-3333-4333-8333-333333333333' },
      { ...song, title: 'Thrice', recording_mbid: '33333333-3333-4333-8333-333333333333' },
    ],
    { update: true },
    true,
  )
  expect(stolen.rejected).toMatchObject([
    { line: 1, field: 'recording_mbid', reason: 'belongs to another song' },
    { line: 3, field: null, reason: 'repeats a song of this file', value: 'line 2' },
  ])
  expect(await songs()).toEqual(before)
})

test('catalogue-1: a song whose identity was added still belongs to the starter catalogue, which keeps it', async () => {
  const recording = '44444444-4444-4444-8444-444444444444'
  await importList([{ key: 'zydeco-005', recording_mbid: recording, isrc: 'GBAAP8300005' }])
  const renamed = testCatalogue()
  for (const song of renamed.songs) if (song.key === 'zydeco-005') song.title = 'Corrected'
  await loadCatalogue(app.db, renamed)

  const ids = { recordingMbid: recording, isrc: 'GBAAP8300005' }
  expect(await songOf('zydeco-005')).toMatchObject({ title: 'Corrected', source: 'starter', ...ids })
  await loadCatalogue(app.db, testCatalogue())
})

test('a song without ids is recognized by artist, title and microgenre together', async () => {
  const song = { title: 'No Id At All', artist: 'Nina', microgenre: 'zydeco' }
  await importList([song])

  const again = { title: 'no id at all!', artist: 'NINA', microgenre: 'Zydeco', year: 2001 }
  expect((await importList([again])).counts).toMatchObject({ added: 0, changed: 1 })
  expect((await importList([{ ...song, microgenre: 'footwork' }])).counts).toMatchObject({ added: 1 })
  expect((await importList([{ ...song, artist: 'Other' }])).counts).toMatchObject({ added: 1 })
})

test('ids that belong to two songs are rejected, and neither song changes', async () => {
  const song = { title: 'Torn', artist: 'Tim', microgenre: 'zydeco' }
  const spotify_id = `${'T'.repeat(21)}1`
  await importList([
    { ...song, key: 'torn-one', youtube_id: 'torn_-_-__1' },
    { ...song, key: 'torn-two', spotify_id },
  ])
  const before = await songs()
  const { rejected } = await importList([
    { youtube_id: 'torn_-_-__1', spotify_id },
    { key: 'torn-two', youtube_id: 'torn_-_-__1' },
  ])

  expect(rejected).toEqual([
    { line: 1, field: 'spotify_id', reason: 'belongs to another song', value: 'torn-two' },
    { line: 2, field: 'youtube_id', reason: 'belongs to another song', value: 'torn-one' },
  ])
  expect(await songs()).toEqual(before)
})

test('a song of the starter catalogue is found by its name, however it is typed, in any locale', async () => {
  const starter = testCatalogue()
  const named = { key: 'istanbul-joao', title: 'João', artist: 'Istanbul' }
  starter.songs.push({ ...testSong('dub-techno', 90), ...named })
  await loadCatalogue(app.db, starter)
  const rows = ['artist,title,microgenre', 'ISTANBUL,JOÃO,dub techno', 'istanbul,joao,Dub Techno']
  const { counts, rejected } = await importText('typed.csv', rows.join('\n'))

  expect(counts).toMatchObject({ added: 0, unchanged: 1 })
  expect(rejected).toMatchObject([{ reason: 'repeats a song of this file' }])
})

test('invisible characters make neither another song nor a title', async () => {
  const rows = ['Zero\u200BWidth,Thin Band', 'ZeroWidth,Thin\u00AD Band', 'Upside \u202EnwoD,Turn Band']
  rows.push('\u2800,Braille Band', 'Blank,\u3164\u200B', '\uFEFFnames,Key Band')
  const text = rows.map((row) => `${row},zydeco\u200B\n`).join('')
  const { counts, rejected } = await importText('invisible.csv', `title,artist,microgenre\n${text}`)

  expect(counts).toMatchObject({ added: 3, rejected: 3 })
  expect(rejected).toEqual([
    { line: 3, field: null, reason: 'repeats a song of this file', value: 'line 2' },
    { line: 5, field: 'title', reason: 'is missing', value: null },
    { line: 6, field: 'artist', reason: 'is missing', value: null },
  ])
  const remainingSongs = await app.db<{ title: string }[]>`
    select title from songs where artist in ('Thin Band', 'Turn Band', 'Key Band') order by artist`
  expect(remainingSongs.map(({ title }) => title)).toEqual(['names', 'ZeroWidth', 'Upside nwoD'])
})

test('a duplicate song in a file is imported once, in one batch or in two', async () => {
  const song = { artist: 'Twin', microgenre: 'zydeco', youtube_id: 'twins_-_-_1' }
  const { counts, rejected } = await importList([
    { ...song, title: 'First' },
    { ...song, title: 'Second' },
    { title: 'No id', artist: 'Twin', microgenre: 'zydeco' },
    { title: 'NO ID', artist: 'twin', microgenre: 'zydeco' },
  ])

  expect(counts).toMatchObject({ added: 2, rejected: 2 })
  const reason = 'repeats a song of this file'
  expect(rejected).toEqual([
    { line: 2, field: null, reason, value: 'line 1' },
    { line: 4, field: null, reason, value: 'line 3' },
  ])

  const filler = Array.from({ length: 10_000 }, () => ({ line: 2, fault: 'is filler' }))
  const far = await importRows([
    { line: 1, cells: { ...song, title: 'First' } },
    ...filler,
    { line: 3, cells: { ...song, title: 'Second' } },
  ])
  expect(far.counts).toMatchObject({ unchanged: 1, rejected: 10_001 })
  expect(far.rejected.at(-1)).toEqual({ line: 3, field: null, reason, value: 'line 1' })
})

test('existing songs only get missing fields; with --update the file wins over the database', async () => {
  const key = 'update-me'
  await importList([
    { key, title: 'Old', artist: 'Uma', microgenre: 'zydeco', youtube_id: 'updating_-1', year: 1990 },
  ])
  await app.db`update songs set deezer_track_id = '1', preview_url = 'https://x/1' where key = ${key}`
  const changes = { key, title: 'New', youtube_id: 'updating_-2', deezer_id: '2', year: '', duration: 100 }

  expect((await importList([changes])).counts).toMatchObject({ changed: 1, differing: 1 })
  expect(await songOf(key)).toMatchObject({ title: 'Old', youtubeId: 'updating_-1', durationMs: 100_000 })
  expect((await importList([changes], { update: true })).counts).toMatchObject({ changed: 1, differing: 0 })
  // An empty cell changes nothing; a preview of another track is dropped.
  const updated = { title: 'New', artist: 'Uma', youtubeId: 'updating_-2', year: 1990 }
  expect(await songOf(key)).toMatchObject({ ...updated, deezerTrackId: '2', previewUrl: null })
  expect((await importList([changes], { update: true })).counts).toMatchObject({ changed: 0, unchanged: 1 })
})

test('a song never changes its microgenre, even with --update', async () => {
  const before = await songs()
  for (const update of [false, true]) {
    const moved = [{ key: 'zydeco-001', microgenre: 'footwork', year: 1900 }]
    const { rejected } = await importList(moved, { update })
    expect(rejected).toMatchObject([{ reason: 'cannot be changed', value: 'zydeco-001 is in zydeco' }])
  }

  expect(await songs()).toEqual(before)
})

test('ratings survive imports, retirement and return', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dungeon-synth')
  await rateOn(ada, genre.id)
  const library = (await ada.call(listRatings)).body
  const keys = ['dungeon-synth-000', 'dungeon-synth-001']

  const retiring = keys.map((key) => ({ key, retired: true }))
  expect((await importList(retiring)).counts).toMatchObject({ changed: 0, unchanged: 2 })
  expect((await importList(retiring, { update: true })).counts).toMatchObject({ changed: 2 })
  expect((await ada.call(listRatings)).body).toEqual(library)
  expect(await rateOn(await app.signIn(), genre.id)).toHaveLength(4)

  const added = [{ title: 'Late', artist: 'Lou', microgenre: 'dungeon synth', youtube_id: 'ratings_-_1' }]
  await importList([...keys.map((key) => ({ key, retired: false })), ...added], { update: true })
  expect((await ada.call(listRatings)).body).toEqual(library)
  expect(await rateOn(await app.signIn(), genre.id)).toHaveLength(7)
  // Ada's pass continues with the new song.
  expect(await rateOn(ada, genre.id)).toHaveLength(1)
  await expectRecount(app.db)
})

test('the starter catalogue does not overwrite what the operator imported or changed', async () => {
  await importList([{ key: 'bossa-nova-001', youtube_id: 'starter_-_1' }])
  await importList([{ key: 'bossa-nova-002', title: 'Mine', retired: true }], { update: true })
  const before = await songs()

  const report = await loadCatalogue(app.db, testCatalogue())
  expect(report).toMatchObject({ added: 0, changed: 0 })
  expect((await songs()).filter(({ key }) => key.startsWith('bossa-nova'))).toEqual(
    before.filter(({ key }) => key.startsWith('bossa-nova')),
  )
  // A later starter catalogue does not take the video for one of its songs.
  const claiming = testCatalogue()
  claiming.songs.push({ ...testSong('zydeco', 91), key: 'claims-it', youtube_id: 'starter_-_1' })
  await loadCatalogue(app.db, claiming)
  expect(await songOf('claims-it')).toMatchObject({ youtubeId: null })
  expect(await songOf('bossa-nova-001')).toMatchObject({ youtubeId: 'starter_-_1' })
})

test('an unknown microgenre is rejected, or created on request', async () => {
  const list = ['Vaportrap', 'vaportrap', 'シティ', 'Vapor-Trap'].map((microgenre, n) => ({
    title: `Song ${n}`,
    artist: 'Gus',
    microgenre,
  }))
  const create = async () => (await importList(list, { createMicrogenres: true })).counts

  expect((await importList(list)).counts).toMatchObject({ added: 0, rejected: 4, newMicrogenres: 0 })
  expect(await create()).toMatchObject({ added: 4, rejected: 0, newMicrogenres: 3 })
  expect(await create()).toMatchObject({ added: 0, newMicrogenres: 0 })
  const [createdMicrogenre] =
    await app.db`select name, color, family, description from microgenres where key = 'vaportrap'`
  expect({ ...createdMicrogenre }).toEqual({
    name: 'vaportrap',
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    family: 'unsorted',
    description: expect.stringContaining('vaportrap'),
  })
})

test('a default microgenre for rows that name none', async () => {
  const rows = [
    { title: 'Nameless', artist: 'Nick' },
    { title: 'Named', artist: 'Nick', microgenre: 'zydeco' },
  ]
  await importList(rows, { microgenre: 'footwork' })
  const [row] = await app.db`
    select array_agg(m.key order by s.title) as keys from songs s join microgenres m on m.id = s.microgenre_id
    where s.artist = 'Nick'`

  expect(row?.keys).toEqual(['zydeco', 'footwork'])
})

test('a dry run prints exactly what the import would do, over several batches, and changes nothing', async () => {
  const songCount = scaled(5000, 10_000)
  const list = Array.from({ length: songCount + 50 }, (_, i) => ({
    // Every hundredth repeats at the end, in another batch.
    title: `Dry ${i < songCount ? i : (i - songCount) * 100}`,
    artist: 'Dora',
    microgenre: i % 7 === 0 ? 'polka' : 'zydeco',
    youtube_id: `dry_${String(i < songCount ? i : (i - songCount) * 100).padStart(7, '_')}`,
  }))
  const importOptions = { createMicrogenres: true }
  const before = [await songs(), await app.db`select * from microgenres order by id`.values()]
  const dry = await importList(list, importOptions, true)

  expect([await songs(), await app.db`select * from microgenres order by id`.values()]).toEqual(before)
  const real = await importList(list, importOptions)
  expect(dry).toEqual(real)
  const counts = { rows: songCount + 50, added: songCount, rejected: 50, newMicrogenres: 1 }
  expect(real.counts).toMatchObject(counts)
  const again = await importList(list, importOptions)
  expect(again.counts).toMatchObject({ added: 0, changed: 0, unchanged: songCount, rejected: 50 })
})

test('a truncated file yields the rows before the end', async () => {
  const whole = JSON.stringify(
    ['Before', 'After'].map((title) => ({ title, artist: 'Bix', microgenre: 'zydeco' })),
  )

  await expect(importText('broken.json', whole.slice(0, -5))).rejects.toThrow(BadInput)
  expect(await numberBy('Bix')).toBe(1)
})

test('concurrent imports and loads of the starter catalogue run one after the other', async () => {
  const list = (name: string) =>
    Array.from({ length: 300 }, (_, i) => ({ title: `${name} ${i}`, artist: 'Races', microgenre: 'zydeco' }))
  const results = await Promise.all([
    importList([...list('a'), ...list('b')]),
    importList([...list('b'), ...list('a')]),
    loadCatalogue(app.db, testCatalogue()),
    importList(list('c')),
  ])

  expect(results.reduce((sum, result) => sum + ('counts' in result ? result.counts.added : 0), 0)).toBe(900)
  expect(await numberBy('Races')).toBe(900)
})

async function importText(
  name: string,
  content: string | Buffer,
  importOptions: ImportOptions & ReadOptions = {},
) {
  const file = join(folder, name)
  writeFileSync(file, content)
  return importRows(await openRows(file, importOptions), importOptions)
}

function importList(list: object[], importOptions: ImportOptions = {}, isDryRun = false) {
  const rows = list.map((cells, index) => ({
    line: index + 1,
    cells: Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, String(value)])),
  }))
  return importRows(rows, importOptions, isDryRun)
}

/** On its own connection, like the program. */
async function importRows(
  rows: Iterable<ReadRow> | AsyncIterable<ReadRow>,
  importOptions: ImportOptions = {},
  isDryRun = false,
): Promise<{ counts: ImportCounts; rejected: RowFault[] }> {
  const rejected: RowFault[] = []
  async function* all() {
    yield* rows
  }
  return withConnection(app.target, async (db) => {
    if (isDryRun) await startDryRun(db)
    const onRejected = (faults: readonly RowFault[]) => void rejected.push(...faults)
    return { counts: await importSongs(db, all(), { ...importOptions, onRejected }), rejected }
  })
}

/** Folded, so that an import does not change what searches compare. */
async function songs() {
  await foldAllSongs(app.db)
  const rows = await app.db<Record<'key' | 'source' | 'title' | 'artist', string>[]>`
    select * from songs order by id`
  return rows.map((row) => ({ ...row }))
}

async function songOf(key: string) {
  const [row] = await app.db`select * from songs where key = ${key}`
  return { ...row }
}

async function numberBy(artist: string): Promise<number> {
  return (await app.db`select from songs where artist = ${artist}`).length
}
