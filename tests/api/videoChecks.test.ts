import { beforeEach, describe, expect, test } from 'vitest'
import { describeVideoChecks, TREND_DAYS } from '../../contract/coverage.ts'
import { createVideoCheck } from '../../server/catalogue/checkVideos.ts'
import { loadCatalogue } from '../../server/catalogue/loadCatalogue.ts'
import { readVideoChecks } from '../../server/diagnostics/coverage.ts'
import { describeVideos } from '../../server/doctor/checkDatabase.ts'
import { verifySong } from '../../server/playback/health.ts'
import { createLog } from '../../server/process/log.ts'
import { CatalogueTool } from '../harness/CatalogueTool.ts'
import { testCatalogue } from '../harness/testCatalogue.ts'

/* catalogue-19, catalogue-20: the server checks videos by itself. The test catalogue has 21, and here one song has more. */

const tool = new CatalogueTool()
const { outside, db } = tool

/** With three further videos. */
const SONG = 'zydeco-000'
const [FIRST, SECOND, THIRD, FOURTH] = ['__zydeco000', 'second_____', 'third______', 'fourth_____']

const catalogue = (changes: object = {}) => {
  const { songs, ...all } = testCatalogue()
  const further = { other_youtube_ids: [SECOND, THIRD, FOURTH], ...changes }
  return { ...all, songs: songs.map((song) => (song.key === SONG ? { ...song, ...further } : song)) }
}

let logged: { level: number; msg: string }[] = []

beforeEach(async () => {
  outside.reset()
  logged = []
  await db`truncate video_candidates, provider_cache, playback_reports`
  await db`update songs set blocked_video_id = null, checked_video_id = null, checked_at = null`
  await loadCatalogue(db, catalogue())
  const songs = await db<{ youtubeId: string }[]>`select youtube_id from songs where youtube_id is not null`
  for (const { youtubeId } of songs) play(youtubeId)
  for (const id of [SECOND, THIRD, FOURTH]) play(id)
})

const play = (id: string) => outside.youtube.know(id, { title: id, channel: 'Channel' })
const kill = (id: string) => outside.youtube.know(id, { title: id, channel: 'Channel', upload: 'deleted' })

/** A new process, whose clients have no open circuit. */
function newProcess({ env = outside.withoutKeys, interval = 0, maxRun = 60_000 } = {}) {
  const log = createLog('debug', { write: (line) => void logged.push(JSON.parse(line)) })
  const check = createVideoCheck({ db, env: tool.env(env), log }, { interval, maxRun })
  return (signal = new AbortController().signal) => check(signal)
}

const requests = () => outside.youtube.requests.splice(0)

const waitingOf = (key: string) => db<{ videoId: string; refusal: string | null }[]>`
  select c.video_id, c.refusal from video_candidates c join songs s on s.id = c.song_id where s.key = ${key} order by c.id`

async function videoOf(key: string) {
  const [row] = await db<{ youtubeId: string | null; isBlocked: boolean }[]>`
    select youtube_id, coalesce(youtube_id = blocked_video_id, false) as is_blocked from songs where key = ${key}`
  return row
}

/** As if this many days had passed. */
async function wait(days: number) {
  await db`update songs set checked_at = checked_at - ${days} * interval '1 day'`
  await db`update video_candidates set judged_at = judged_at - ${days} * interval '1 day'`
  await db`delete from provider_cache`
}

test('catalogue-19: each video is asked about once, and again after 30 days', async () => {
  await db`update songs set retired_at = now() where key = 'zydeco-002'`
  const check = newProcess()
  await check()
  expect(new Set(requests()).size).toBe(20)
  expect(logged).toEqual([expect.objectContaining({ msg: 'videos checked', done: 20, playable: 20 })])
  await db`delete from provider_cache`
  expect(await check()).toBe('not due')
  expect(requests()).toEqual([])

  await wait(29)
  expect(await check()).toBe('not due')
  await wait(1)
  await check()
  expect(requests()).toHaveLength(20)
  // The command asks about all, in the same way.
  await tool.run(['verify'], outside.withoutKeys)
  await wait(30)
  await tool.run(['verify'], outside.withoutKeys)
  requests()
  expect(await check()).toBe('not due')
  await db`update songs set retired_at = null`
})

test('catalogue-19: five a second at most, and a run that ends in the middle continues', async () => {
  const stopping = new AbortController()
  const ending = newProcess({ interval: 1050 })(stopping.signal)
  await expect.poll(() => outside.youtube.requests.length).toBeGreaterThanOrEqual(5)
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(outside.youtube.requests).toHaveLength(5)
  stopping.abort()
  await ending
  // Another one has run for too long: a large catalogue takes many runs.
  await newProcess({ interval: 10_000, maxRun: 1500 })()
  expect(logged.at(-1)).toMatchObject({ msg: 'videos checked', done: 5 })
  const before = requests()
  expect(before).toHaveLength(10)
  await newProcess()()
  const after = requests()

  expect(new Set([...before, ...after]).size).toBe(21)
  expect(after.length).toBeLessThanOrEqual(21 - 10)
})

describe('catalogue-20: a dead video', () => {
  test('gives way to the next one that plays, which stays when the catalogue is loaded again', async () => {
    kill(FIRST)
    outside.youtube.know(SECOND, { title: 'Closed', channel: 'Channel', embeddable: false })
    await newProcess()()

    expect(await videoOf(SONG)).toEqual({ youtubeId: THIRD, isBlocked: false })
    expect(requests()).not.toContain(`oembed:${FOURTH}`)
    expect(logged).toEqual([expect.objectContaining({ unplayable: 1, replaced: 1 })])
    await loadCatalogue(db, catalogue())
    expect(await videoOf(SONG)).toEqual({ youtubeId: THIRD, isBlocked: false })
    // Then that one dies.
    await wait(30)
    kill(THIRD)
    await newProcess()()
    await loadCatalogue(db, catalogue())
    expect(await videoOf(SONG)).toEqual({ youtubeId: FOURTH, isBlocked: false })
    // A video that people found to be wrong is in the catalogue no more.
    await loadCatalogue(db, catalogue({ other_youtube_ids: [] }))
    expect(await videoOf(SONG)).toMatchObject({ youtubeId: FIRST })
    await loadCatalogue(db, catalogue({ youtube_id: null, other_youtube_ids: [] }))
    expect(await videoOf(SONG)).toMatchObject({ youtubeId: null })
  })

  test('and all that could follow it leave the song to the search, until one plays again', async () => {
    for (const id of [FIRST, SECOND, THIRD, FOURTH]) kill(id)
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: FIRST, isBlocked: true })
    expect(await newProcess()()).toBe('not due')
    expect((await tool.run(['videos', '--dry-run'], outside.withoutKeys)).stdout).toContain(
      'about 0 of 21 songs without a video',
    )

    await wait(30)
    play(FIRST)
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: FIRST, isBlocked: false })
    // The next ones may have been away for an hour, too.
    await wait(30)
    kill(FIRST)
    play(THIRD)
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: THIRD, isBlocked: false })
  })

  test('whose next one YouTube never answers about waits, and all others are checked', async () => {
    kill(FIRST)
    outside.youtube.know(SECOND, { title: 'Broken', channel: 'Channel', oembedStatus: 500 })
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: FIRST, isBlocked: true })
    expect(await readVideoChecks(db)).toMatchObject({ unproven: 0, plays: 20, gone: 1 })
    expect(logged).toEqual([expect.objectContaining({ msg: 'videos checked', done: 21 })])

    play(SECOND)
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: SECOND, isBlocked: false })
  })

  test('gives way to none that plays in few countries', async () => {
    kill(FIRST)
    outside.youtube.know(SECOND, { title: 'Here', channel: 'Channel', allowed: ['DE'] })
    expect((await tool.run(['verify'])).stdout).toContain('1 songs got another video.')
    expect(await videoOf(SONG)).toEqual({ youtubeId: THIRD, isBlocked: false })
    expect(await waitingOf(SONG)).toContainEqual({ videoId: SECOND, refusal: 'regional' })
  })

  test('of another song is not taken', async () => {
    kill(FIRST)
    await db`update songs set youtube_id = ${SECOND} where key = 'zydeco-001'`
    await newProcess()()

    expect(await videoOf(SONG)).toMatchObject({ youtubeId: THIRD })
  })

  test('that players report gives way, too, and oEmbed alone does not take their word back', async () => {
    await newProcess()()
    await db`update songs set blocked_video_id = youtube_id where key in (${SONG}, 'zydeco-004')`
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: SECOND, isBlocked: false })
    await wait(30)
    await newProcess()()
    expect(await videoOf('zydeco-004')).toMatchObject({ isBlocked: true })
    // A person's command does.
    await tool.run(['verify'], outside.withoutKeys)
    expect(await videoOf('zydeco-004')).toMatchObject({ isBlocked: false })
    // What players said of the first is still known when the second dies.
    kill(SECOND)
    await wait(30)
    await newProcess()()
    expect(await loadCatalogue(db, catalogue())).toMatchObject({ changed: 0 })
    expect(await videoOf(SONG)).toEqual({ youtubeId: THIRD, isBlocked: false })
  })

  test('that an operator verified plays, and then players may report it', async () => {
    const key = 'zydeco-004'
    const [{ id = '', youtubeId = '' } = {}] = await db<{ id: string; youtubeId: string }[]>`
      select id, youtube_id from songs where key = ${key}`
    kill(youtubeId)
    await newProcess()()
    expect(await videoOf(key)).toMatchObject({ isBlocked: true })
    play(youtubeId)
    await verifySong(db, tool.services().youtube, id)
    expect(await videoOf(key)).toMatchObject({ isBlocked: false })
    await db`update songs set blocked_video_id = youtube_id where key = ${key}`
    await wait(30)
    await newProcess()()
    expect(await videoOf(key)).toMatchObject({ isBlocked: true })
  })

  test('that the catalogue removes is replaced, too', async () => {
    await loadCatalogue(db, catalogue({ youtube_id: null }))
    await newProcess()()
    expect(await videoOf(SONG)).toEqual({ youtubeId: SECOND, isBlocked: false })
  })
})

test('catalogue-19: where every video is said to be missing, nothing is decided', async () => {
  const rows = async () => [
    await db`select * from songs order by id`.values(),
    await db`select * from video_candidates order by id`.values(),
  ]
  outside.youtube.reset()
  const before = await rows()
  const check = newProcess()
  for (let hour = 0; hour < 2; hour++) expect(await check()).toBe('not due')
  expect(await rows()).toEqual(before)
  expect(logged).toEqual([expect.objectContaining({ level: 40 })])
})

test.each(['down', 'gone', 'limited', 'wrong'] as const)(
  'catalogue-19: while YouTube is %s the log has one line, nothing is decided, and later runs continue',
  async (behaviour) => {
    kill(FIRST)
    outside.youtube.behave(behaviour)
    const check = newProcess()
    for (let hour = 0; hour < 4; hour++) expect(await check()).toBe('not due')
    // The first five, and a retry of each.
    expect(requests().length).toBeLessThanOrEqual(10)
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'YouTube does not answer, or calls all videos dead: videos are checked later',
      }),
    ])
    expect(await readVideoChecks(db)).toMatchObject({ unproven: 21, plays: 0, gone: 0 })

    outside.youtube.behave('ok')
    await db`delete from service_turns`
    await newProcess()()
    expect(await readVideoChecks(db)).toMatchObject({ unproven: 0, plays: 21, gone: 0, diedLately: 1 })
  },
)

test('catalogue-19: with a key, too, the server asks by oEmbed', async () => {
  await newProcess({ env: outside.env })()
  expect(requests().map((asked) => asked.split(':')[0])).toEqual(Array(21).fill('oembed'))
})

test('diagnostics-27: states, shares and trend, by the check and by the doctor', async () => {
  const closed = 'footwork002'
  await newProcess()()
  for (const id of [FIRST, SECOND, THIRD, FOURTH, 'bossanov000']) kill(id)
  await wait(TREND_DAYS)
  await newProcess()()
  await wait(TREND_DAYS)
  outside.youtube.know(closed, { title: 'Closed', channel: 'Channel', embeddable: false })
  await newProcess()()
  await db`update songs set youtube_id = 'unchecked__' where key = 'zydeco-004'`
  await db`update songs set youtube_id = null where key = 'bossa-nova-000'`

  const checks = await readVideoChecks(db)
  const dead = { notEmbeddable: 1, gone: 1, diedLately: 1, diedBefore: 5 }
  expect(checks).toEqual({ unproven: 1, plays: 17, checkedLately: 19, ...dead })
  const text =
    'Of 20 videos 17 (85%) play, 1 (5%) are unproven, 1 (5%) cannot be embedded, 1 (5%) are gone. ' +
    'In the last 30 days 19 were checked and 1 found dead, 5 in the 30 days before.'
  expect(describeVideoChecks(checks)).toBe(text)
  expect((await tool.run(['check', '--coverage'])).stdout).toContain(`\n${text}\n`)
  expect(await describeVideos(tool.env({}), db)).toEqual({ part: 'Videos', state: 'ok', message: text })
  expect(await describeVideos(tool.env({ CATALOGUE_VERIFY: 'false' }), db)).toMatchObject({
    state: 'off',
    message: `CATALOGUE_VERIFY is false: the server checks none. ${text}`,
  })
})
