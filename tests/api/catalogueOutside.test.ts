import { beforeEach, expect, test } from 'vitest'
import { fillFromDeezer } from '../../server/catalogue/enrich.ts'
import { verifyVideos } from '../../server/catalogue/verify.ts'
import { CatalogueTool, FAST_RETRIES } from '../harness/CatalogueTool.ts'

/* `npm run catalogue -- verify` and `enrich`, against stand-ins for YouTube and Deezer. */

const tool = new CatalogueTool()
const { outside, db } = tool

const DELETED_VIDEO = 'zydeco-000'
const UNEMBEDDABLE_VIDEO = 'footwork-002'

beforeEach(async () => {
  outside.reset()
  await db`delete from provider_cache`
  await db`
    update songs set blocked_video_id = null, deezer_track_id = null, album_art = null, isrc = null`
  const songs = await db<{ key: string; youtubeId: string }[]>`
    select key, youtube_id from songs where youtube_id is not null`
  for (const { key, youtubeId } of songs)
    if (key !== DELETED_VIDEO)
      outside.youtube.know(youtubeId, {
        title: key,
        channel: 'Channel',
        embeddable: key !== UNEMBEDDABLE_VIDEO,
      })
})

test.each(['with a key', 'without a key'])(
  'verify finds dead videos %s, keeps them and stops playing them',
  async (how) => {
    const environment = how === 'with a key' ? outside.env : outside.withoutKeys
    const before = await videoIds()
    const dry = await tool.run(['verify', '--dry-run'], environment)

    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toMatch(
      /^Verified 21 of 21 videos in \d+ s: 19 playable, 2 unplayable, 0 without an answer from YouTube\.\n/,
    )
    expect(dry.stdout).toContain('2 songs would play their previews')
    expect(await blocked()).toEqual([])

    const ran = await tool.run(['verify', '--report', 'dead.tsv'], environment)
    expect(ran.stdout).toContain('2 songs now play their previews')
    expect(await blocked()).toEqual([UNEMBEDDABLE_VIDEO, DELETED_VIDEO])
    expect(await videoIds()).toEqual(before)
    const report = tool.read('dead.tsv')
    expect(report).toContain(`${DELETED_VIDEO}\tArtist 000\tZydeco 000\t__zydeco000\tThere is no such video`)
    expect(report).toContain(
      `${UNEMBEDDABLE_VIDEO}\tArtist 002\tFootwork 002\tfootwork002\tIts owner does not allow`,
    )

    // A second run checks only these two again; the other results are cached.
    const requestCount = outside.youtube.requests.length
    expect((await tool.run(['verify'], environment)).stdout).not.toContain('now play')
    const again = outside.youtube.requests.slice(requestCount).join()
    expect(again).toContain('__zydeco000')
    expect(again).not.toContain('__zydeco002')
  },
)

test('a video that works again plays again, and its failure reports are cleared', async () => {
  await tool.run(['verify'])
  await db`
    insert into playback_reports (song_id, user_id, video_id, outcome)
    select id, 1, youtube_id, '150' from songs where key = ${DELETED_VIDEO}`
  outside.youtube.know('__zydeco000', { title: 'Back', channel: 'Channel' })
  await tool.run(['verify'])

  expect(await blocked()).toEqual([UNEMBEDDABLE_VIDEO])
  expect(await db`select from playback_reports`).toHaveLength(0)
})

test('verify names a key that YouTube rejects, and changes nothing', async () => {
  const ran = await tool.run(['verify'], { ...outside.env, YOUTUBE_API_KEY: 'wrong' })

  expect(ran).toMatchObject({ code: 1, stderr: 'YouTube rejects YOUTUBE_API_KEY: API key not valid.\n' })
  expect(await blocked()).toEqual([])
})

test.each(['down', 'gone', 'limited'] as const)(
  'no video is marked dead while YouTube is %s',
  async (behaviour) => {
    outside.youtube.behave(behaviour)
    const { youtube } = tool.services(outside.withoutKeys)
    const verifying = verifyVideos(db, youtube, { size: 20, retry: FAST_RETRIES })

    await expect(verifying).rejects.toThrow('YouTube does not answer. Try again later')
    expect(await blocked()).toEqual([])
  },
)

test('enrich fills missing fields from Deezer and keeps existing ones', async () => {
  await lacking({ 'zydeco-001': {}, 'zydeco-002': {}, 'zydeco-003': { durationMs: 1000 }, 'zydeco-004': {} })
  outside.deezer.forget('zydeco 004')
  const ran = await tool.run(['enrich'])

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^Looked up 4 of 4 incomplete songs in \d+ s\.\n/)
  expect(ran.stdout).toContain('Filled in 3 tracks, 2 durations and 0 covers; Deezer did not find 1.')
  const rows = await db`
    select key, duration_ms, deezer_track_id is not null as found from songs
    where key in ('zydeco-001', 'zydeco-003', 'zydeco-004') order by key`
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { key: 'zydeco-001', durationMs: 210_000, found: true },
    { key: 'zydeco-003', durationMs: 1000, found: true },
    { key: 'zydeco-004', durationMs: null, found: false },
  ])

  // Deezer is not requested again so soon.
  const requestCount = outside.deezer.requests.length
  expect((await tool.run(['enrich'])).stdout).toContain('0 of 0 incomplete songs')
  expect(outside.deezer.requests).toHaveLength(requestCount)
})

test("a song's ISRC finds its track where artist, title and length agree, and never gives it another version's length", async () => {
  await lacking({
    'zydeco-001': { durationMs: 200_000 },
    'zydeco-002': { durationMs: 200_000 },
    'zydeco-003': {},
  })
  await db`update songs set isrc = 'GBAAP7300001' where key = 'zydeco-001'`
  await db`update songs set isrc = 'GBAAP7300002' where key = 'zydeco-002'`
  outside.deezer.know(
    { title: 'ZYDECO 001', artist: 'Artist 001', seconds: 199, isrc: 'GBAAP7300001' },
    { title: 'Zydeco 002', artist: 'Artist 002', seconds: 230, isrc: 'GBAAP7300002' },
    { title: 'Zydeco 003 (Live)', artist: 'Artist 003', seconds: 400 },
  )
  await fill()

  expect(outside.deezer.requests).toContain('/track/isrc:GBAAP7300001')
  expect(outside.deezer.requests).not.toContain('artist:"Artist 001" track:"Zydeco 001"')
  expect(outside.deezer.requests).toContain('artist:"Artist 002" track:"Zydeco 002"')
  const rows = await db`
    select key, duration_ms, deezer_track_id is not null as found from songs
    where key in ('zydeco-001', 'zydeco-003') order by key`
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { key: 'zydeco-001', durationMs: 200_000, found: true },
    { key: 'zydeco-003', durationMs: null, found: true },
  ])
})

test('songs skipped while Deezer was down are looked up when it is back', async () => {
  await lacking({ 'zydeco-001': {}, 'zydeco-002': {} })
  outside.deezer.answer('down')
  await expect(fill()).rejects.toThrow('Deezer does not answer. Try again later')

  outside.deezer.answer('ok')
  expect(await fill()).toMatchObject({ done: 2, tracks: 2 })
})

/** With clients of its own, so that circuit breakers do not affect other tests. */
const fill = () => fillFromDeezer(db, tool.services().deezer, { retry: FAST_RETRIES })

async function blocked(): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from songs where blocked_video_id = youtube_id order by key`
  return rows.map(({ key }) => key)
}

function videoIds() {
  return db`select key, youtube_id from songs order by key`.values()
}

/** These songs lack the fields not given; the other songs lack nothing. */
async function lacking(songs: Record<string, { durationMs?: number }>): Promise<void> {
  await db`
    update songs set deezer_track_id = '1', album_art = 'https://example.org/1.jpg', duration_ms = 1
    where not key = any(${Object.keys(songs)})`
  for (const [key, { durationMs = null }] of Object.entries(songs))
    await db`update songs set duration_ms = ${durationMs} where key = ${key}`
}
