import { beforeEach, expect, test } from 'vitest'
import { enrichSongs } from '../../server/catalogue/enrich.ts'
import { makeMicrogenre } from '../factories.ts'
import { CatalogueTool, FAST_RETRIES } from '../harness/CatalogueTool.ts'
import { scaled } from '../harness/tier.ts'
import { addHostileMusic, type HostileSong, songKindCount } from '../stand-ins/hostileMusic.ts'
import type { Outside } from '../stand-ins/outside.ts'

/* `npm run catalogue -- enrich` identifies songs, against stand-ins with many misleading recordings. */

const tool = new CatalogueTool()
const { outside, db } = tool

const MBID = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'
const RELEASE = '18550a84-4ede-451c-a91a-dd9b3af9f71d'
const ARTIST = 'db92a151-1ac2-438b-bc43-b82e149ddd50'

beforeEach(async () => {
  outside.reset()
  await db`delete from provider_cache`
  await db`truncate songs`
})

const SONG_COUNT = scaled(200, 1000)

test('catalogue-3, catalogue-4, catalogue-5: of many songs in hostile music none gets a wrong identity', async () => {
  const songs = await addSongs(SONG_COUNT)
  const { identified } = await enrich()
  const rows = await rowsByKey()

  expect(songs.filter((song) => isWrong(song, rows.get(song.key)))).toEqual([])
  // Songs that a service has are identified, the others reported with the reason.
  expect(songs.filter(({ key, truth }) => truth.mbid && !rows.get(key)?.recordingMbid)).toEqual([])
  expect(songs.filter(({ key, truth }) => truth.isrc !== (rows.get(key)?.isrc ?? null))).toEqual([])
  expect(songs.filter(({ key, reason }) => reason !== (rows.get(key)?.reason ?? null))).toEqual([])
  expect(identified).toMatchObject({
    all: SONG_COUNT,
    done: SONG_COUNT,
    recordings: songs.filter(({ truth }) => truth.mbid).length,
    wasInterrupted: false,
  })
  // ListenBrainz gets 50 songs per request, and its certain matches are not searched for.
  expect(outside.listenbrainz.requests.slice(0, -1).every((size) => size > 40)).toBe(true)
  const knownSong = songs[12] as HostileSong
  expect(
    outside.musicbrainz.requests.filter((query) => query.includes(knownSong.title.toLowerCase())),
  ).toEqual([])

  // A second run makes no requests and changes nothing.
  const requests = requestsOf(outside)
  const again = await enrich()
  expect(again.identified).toMatchObject({ all: 0, done: 0, recordings: 0 })
  expect(requestsOf(outside)).toEqual(requests)
  expect(await rowsByKey()).toEqual(rows)
})

test('without a token of ListenBrainz the search finds the same', async () => {
  const songs = await addSongs(2 * songKindCount())
  await enrich(outside.withoutKeys)
  const rows = await rowsByKey()

  expect(outside.listenbrainz.requests).toEqual([])
  expect(songs.filter(({ key, truth }) => truth.mbid !== (rows.get(key)?.recordingMbid ?? null))).toEqual([])
})

test('catalogue-6: after kill -9 the next run continues, and requests nothing twice', async () => {
  const songs = await addSongs(4 * songKindCount())
  outside.musicbrainz.hangAfter(40)
  const { child, programEnd } = tool.start(['enrich'])
  await expect.poll(() => outside.musicbrainz.requests.length, { timeout: 60_000 }).toBeGreaterThan(40)
  child.kill('SIGKILL')
  expect(await programEnd).toMatchObject({ code: null })
  const before = await rowsByKey()
  const decidedSongs = songs.filter(({ key }) => before.get(key)?.recordingMbid || before.get(key)?.reason)
  expect(decidedSongs.length).toBeGreaterThan(20)
  expect(decidedSongs.length).toBeLessThan(songs.length)

  outside.musicbrainz.hangAfter(Number.POSITIVE_INFINITY)
  outside.musicbrainz.requests.length = 0
  expect(await tool.run(['enrich'])).toMatchObject({ code: 0, stderr: '' })
  const rows = await rowsByKey()
  expect(songs.filter(({ key, truth }) => truth.mbid !== (rows.get(key)?.recordingMbid ?? null))).toEqual([])
  // A song that was not processed may have the same title.
  const open = new Set(
    songs.filter((song) => !decidedSongs.includes(song)).map(({ title }) => title.toLowerCase()),
  )
  for (const { title } of decidedSongs) {
    if (open.has(title.toLowerCase())) continue
    const words = `recording:(${title.toLowerCase().replace(/[():&]/g, '\\$&')})`
    expect(outside.musicbrainz.requests.filter((query) => query.startsWith(words))).toEqual([])
  }
})

test("catalogue-6: the operator's values stay, and complete what is missing", async () => {
  const other = '99999999-9999-4999-8999-999999999999'
  await add({ key: 'own-isrc', title: 'One', artist: 'Ann', durationMs: 200_000, isrc: 'GBOWN7300001' })
  await add({ key: 'own-release', title: 'Two', artist: 'Ann', durationMs: 200_000, releaseMbid: other })
  await add({
    key: 'own-recording',
    title: 'Not as MusicBrainz writes it',
    artist: 'Ann',
    recordingMbid: MBID,
  })
  const knownSong = {
    artist: 'Ann',
    artistMbid: ARTIST,
    lengthMs: 201_000,
    releases: [{ mbid: RELEASE, date: '1973' }],
  }
  outside.musicbrainz.know(
    { ...knownSong, mbid: '11111111-1111-4111-8111-111111111111', title: 'One', isrcs: ['GBAAP7300001'] },
    { ...knownSong, mbid: '22222222-2222-4222-8222-222222222222', title: 'Two', isrcs: ['GBAAP7300002'] },
    { ...knownSong, mbid: MBID, title: 'Three' },
  )
  outside.deezer.know({ title: 'Two', artist: 'Ann', seconds: 199, isrc: 'GBAAP7300002' })
  await enrich()
  const rows = await rowsByKey()

  expect(rows.get('own-isrc')).toMatchObject({
    recordingMbid: '11111111-1111-4111-8111-111111111111',
    isrc: 'GBOWN7300001',
    releaseMbid: RELEASE,
    durationMs: 200_000,
  })
  expect(rows.get('own-release')).toMatchObject({
    recordingMbid: '22222222-2222-4222-8222-222222222222',
    isrc: 'GBAAP7300002',
    releaseMbid: other,
    durationMs: 200_000,
  })
  // The operator's recording needs no agreement of names, and was not searched for.
  expect(rows.get('own-recording')).toMatchObject({
    recordingMbid: MBID,
    releaseMbid: RELEASE,
    durationMs: 201_000,
  })
  expect(outside.musicbrainz.requests).toContain(`rid:(${MBID})`)
  expect(outside.musicbrainz.requests.filter((query) => query.includes('not as'))).toEqual([])
})

test('a song that the operator corrects after a report is searched again', async () => {
  await add({ key: 'typo', title: 'Nmae', artist: 'Ann' })
  outside.musicbrainz.know({ mbid: MBID, title: 'Name', artist: 'Ann', artistMbid: ARTIST })
  await enrich()
  expect((await rowsByKey()).get('typo')).toMatchObject({ recordingMbid: null, reason: 'not found' })

  await db`update songs set title = 'Name' where key = 'typo'`
  expect((await enrich()).identified).toMatchObject({ all: 1, recordings: 1 })
  expect((await rowsByKey()).get('typo')).toMatchObject({ recordingMbid: MBID })
})

test('catalogue-5: the report has every song that is not identified, with reason and candidates', async () => {
  outside.deezer.answer('nothing')
  await add({ key: 'twice-1', title: 'Same', artist: 'Ann', durationMs: 200_000 })
  await add({ key: 'twice-2', title: 'SAME', artist: 'ann', durationMs: 200_000 })
  await add({ key: 'unknown', title: 'Nowhere', artist: 'Ben' })
  await add({ key: 'takes', title: 'Takes', artist: 'Ann' })
  const knownSong = { artist: 'Ann', artistMbid: ARTIST, lengthMs: 200_000 }
  outside.musicbrainz.know(
    { ...knownSong, mbid: MBID, title: 'Same' },
    { ...knownSong, mbid: '11111111-1111-4111-8111-111111111111', title: 'Takes', releases: [] },
    {
      ...knownSong,
      mbid: '22222222-2222-4222-8222-222222222222',
      title: 'Takes',
      lengthMs: 300_000,
      releases: [],
    },
  )
  const dry = await tool.run(['enrich', '--dry-run', '--report', 'dry.tsv'])

  expect(dry).toMatchObject({ code: 0, stderr: '' })
  expect(dry.stdout).toContain('Identified 1 of 4 songs (25 %), 1 in this run, which also found 0 ISRCs.\n')
  expect(dry.stdout).toContain('Not identified: 1 ambiguous, 1 duplicate, 1 not found.\n')
  expect(dry.stdout).toContain('Nothing was changed.')
  expect(
    await db`select from songs where recording_mbid is not null or deezer_track_id is not null`,
  ).toHaveLength(0)
  expect(await db`select from provider_cache`).toHaveLength(0)

  const ran = await tool.run(['enrich', '--report', 'missing.tsv'])
  expect(ran.stdout).toContain('All songs that are not identified are in missing.tsv.')
  expect(tool.read('missing.tsv').split('\n')).toEqual([
    'key\tartist\ttitle\treason\tdetail',
    'twice-2\tann\tSAME\tduplicate\ttwice-1',
    'unknown\tBen\tNowhere\tnot found\t',
    'takes\tAnn\tTakes\tambiguous\t' +
      '11111111-1111-4111-8111-111111111111 Ann – Takes, 200 s, date unknown; ' +
      '22222222-2222-4222-8222-222222222222 Ann – Takes, 300 s, date unknown',
    '',
  ])
  expect(tool.read('dry.tsv')).toBe(tool.read('missing.tsv'))
})

test.each(['down', 'cut'] as const)(
  'while MusicBrainz is %s nothing is decided, and the next run continues',
  async (behaviour) => {
    for (const n of [1, 2, 3, 4]) await add({ key: `song-${n}`, title: `Song ${n}`, artist: 'Ann' })
    outside.musicbrainz.know({ mbid: MBID, title: 'Song 1', artist: 'Ann', artistMbid: ARTIST })
    outside.musicbrainz.behave(behaviour)
    await expect(enrich()).rejects.toThrow('MusicBrainz does not answer. Try again later')
    expect([...(await rowsByKey()).values()].filter(({ reason }) => reason)).toEqual([])

    outside.musicbrainz.behave('ok')
    expect((await enrich()).identified).toMatchObject({ done: 4, recordings: 1 })
  },
)

test('a Retry-After of MusicBrainz and ListenBrainz is respected, and no song is lost', async () => {
  await addSongs(songKindCount())
  outside.listenbrainz.behave('limited', 1)
  outside.musicbrainz.behave('down', 1)
  const { identified } = await enrich()

  expect(identified).toMatchObject({ all: songKindCount(), done: songKindCount() })
  expect(outside.listenbrainz.requests).toHaveLength(2)
})

test('a response that is always truncated affects its song only', async () => {
  for (const n of [1, 2, 3, 4, 5]) await add({ key: `song-${n}`, title: `Song${n}`, artist: 'Ann' })
  outside.musicbrainz.know({ mbid: MBID, title: 'Song5', artist: 'Ann', artistMbid: ARTIST })
  outside.musicbrainz.spoil('song2')
  const { identified } = await enrich()

  expect(identified).toMatchObject({ all: 5, done: 4, recordings: 1 })
  expect((await rowsByKey()).get('song-2')).toMatchObject({ reason: null })
  outside.musicbrainz.spoil('nothing')
  expect((await enrich()).identified).toMatchObject({ all: 1, done: 1 })
})

test('a token that ListenBrainz rejects is named', async () => {
  await add({ key: 'song', title: 'Song', artist: 'Ann' })
  const ran = await tool.run(['enrich'], { ...outside.env, LISTENBRAINZ_TOKEN: 'wrong' })

  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^ListenBrainz rejects LISTENBRAINZ_TOKEN/),
  })
  expect(outside.musicbrainz.requests).toEqual([])
})

/** Hostile music in the services and in the catalogue. */
async function addSongs(size: number): Promise<HostileSong[]> {
  const songs = addHostileMusic(outside, size)
  const { id } = await makeMicrogenre(db, 0)
  const rows = songs.map((song, seq) => ({ ...song, seq }))
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, year, duration_ms, isrc)
    select key, 'import', ${id}, seq, title, artist, year, "durationMs", isrc
    from jsonb_to_recordset(${db.json(rows)}) as i
      (key text, seq int, title text, artist text, year int, "durationMs" int, isrc text)
    order by seq`
  return songs
}

interface SongOptions {
  key: string
  title: string
  artist: string
  durationMs?: number
  isrc?: string
  recordingMbid?: string
  releaseMbid?: string
}

async function add({ key, title, artist, ...options }: SongOptions): Promise<void> {
  const { id } = await makeMicrogenre(db, 0)
  const { durationMs = null, isrc = null, recordingMbid = null, releaseMbid = null } = options
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, duration_ms, isrc, recording_mbid, release_mbid)
    values (${key}, 'import', ${id}, 0, ${title}, ${artist}, ${durationMs}, ${isrc}, ${recordingMbid}, ${releaseMbid})`
}

interface StoredIds {
  key: string
  recordingMbid: string | null
  isrc: string | null
  releaseMbid: string | null
  durationMs: number | null
  deezerTrackId: string | null
  reason: string | null
}

async function rowsByKey(): Promise<Map<string, StoredIds>> {
  const rows = await db<StoredIds[]>`
    select s.key, s.recording_mbid, s.isrc, s.release_mbid, s.duration_ms, s.deezer_track_id,
      c.value->>'reason' as reason
    from songs s left join provider_cache c on c.provider = 'search-enrich' and c.key = s.id::text
    order by s.id`
  return new Map(rows.map((row) => [row.key, { ...row }]))
}

/** A recording or an ISRC that is not the song's. */
const isWrong = ({ truth }: HostileSong, found: StoredIds | undefined) =>
  (found?.recordingMbid && found.recordingMbid !== truth.mbid) || (found?.isrc && found.isrc !== truth.isrc)

const requestsOf = ({ deezer, listenbrainz, musicbrainz }: Outside) => [
  deezer.requests.length,
  listenbrainz.requests.length,
  musicbrainz.requests.length,
]

const enrich = (environment?: Record<string, string>) =>
  enrichSongs(db, tool.services(environment), { retry: FAST_RETRIES })
