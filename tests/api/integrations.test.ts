import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import * as contract from '../../contract/diagnostics.ts'
import { connect } from '../../server/db/connection.ts'
import { createRateLimiter } from '../../server/integrations/rateLimiter.ts'
import { packagePath } from '../../server/packagePath.ts'
import { makeMicrogenre } from '../factories.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder, setUpService } from '../harness/setUpService.ts'
import { startProgram } from '../harness/startProgram.ts'
import { scaled } from '../harness/tier.ts'
import { refusal } from '../harness/visitor.ts'
import type { Behaviour } from '../stand-ins/behaviour.ts'
import { startOutside } from '../stand-ins/outside.ts'

/* Each service in each failure mode. */

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env)
const ada = setUpService(() => app.signIn())

beforeEach(async () => {
  outside.reset()
  app.renewServices()
  await app.db`truncate provider_cache, provider_quotas, limit_counters`
})

const query = { artist: 'Slowdive', title: 'Alison' }
const VIDEO = 'aVideo_that'
const spotify = () => ada.call(contract.searchSpotify, { query })
const replacement = () => ada.call(contract.findReplacement, { body: query })
const video = () =>
  ada.call(contract.verifyVideo, { params: { videoId: VIDEO }, query: { strategy: 'enhanced' } })
const batch = () => ada.call(contract.verifyBatch, { body: { batchSize: 20, offset: 0 } })
const availability = () => ada.call(contract.testPreviewAvailability)

const SPOTIFY_DOWN = refusal(502, 'Spotify does not answer right now.')
const YOUTUBE_DOWN = refusal(502, 'YouTube does not answer right now.')
const PREVIEWS_DOWN = refusal(502, 'The preview service does not answer right now.')

const FAILURES: Behaviour[] = ['wrong', 'limited', 'down', 'gone', 'slow']

describe.each(FAILURES)('services that are %s', (behaviour) => {
  test('answer 502 within five seconds and log no server error', async () => {
    outside.deezer.answer(behaviour)
    outside.spotify.behave(behaviour)
    outside.youtube.behave(behaviour)
    // After five seconds it would be the deadline's 503.
    const [previews, track, verifyResult, one] = await Promise.all([
      availability(),
      spotify(),
      replacement(),
      video(),
    ])

    expect(previews).toMatchObject(PREVIEWS_DOWN)
    expect(track).toMatchObject(SPOTIFY_DOWN)
    expect(verifyResult).toMatchObject(YOUTUBE_DOWN)
    expect(one).toMatchObject(YOUTUBE_DOWN)
    expect(app.errors).toEqual([])
  })

  test('leave a batch complete, with the reason in each row that has a video', async () => {
    app.renewServices({ YOUTUBE_API_KEY: '' })
    outside.youtube.behave(behaviour)
    const { status, body } = await batch()
    const reasons = new Set(body.results.map(({ youtubeId, error }) => (youtubeId ? error : 'none')))

    expect(status).toBe(200)
    expect(body.stats.accessible).toBe(0)
    expect([...reasons].sort()).toEqual(['YouTube does not answer right now.', 'none'])

    // Failed checks are not cached.
    outside.youtube.behave('ok')
    const [row] = await app.db<{ count: number }[]>`select count(*)::int from provider_cache`
    expect(row?.count).toBe(0)
  })
})

test('a preview service over its quota, or unreachable, answers 502', async () => {
  outside.deezer.answer('quota')
  expect(await availability()).toMatchObject(PREVIEWS_DOWN)
  app.renewServices({ DEEZER_URL: 'http://127.0.0.1:9' })
  expect(await availability()).toMatchObject(PREVIEWS_DOWN)
})

test('a transient failure is retried once', async () => {
  outside.spotify.know({ name: 'Alison', artists: ['Slowdive'] })
  await spotify()
  outside.spotify.requests.length = 0
  outside.spotify.behave('down')
  const answer = spotify()
  await expect.poll(() => outside.spotify.requests.length).toBe(1)
  outside.spotify.behave('ok')

  expect((await answer).body.success).toBe(true)
  expect(outside.spotify.requests).toHaveLength(2)
})

test('five failures in a row open the circuit breaker', async () => {
  outside.youtube.behave('down', 'api')
  for (let n = 0; n < 6; n++) expect(await replacement()).toMatchObject(YOUTUBE_DOWN)

  expect(outside.youtube.requests).toHaveLength(5)
})

test('a service that sends Retry-After is not asked before that time', async () => {
  outside.youtube.behave('limited', 'api')
  await replacement()
  outside.youtube.behave('ok')
  expect(await replacement()).toMatchObject(YOUTUBE_DOWN)
  expect(outside.youtube.requests).toHaveLength(1)

  // Spotify's stand-in asks for one second.
  outside.spotify.know({ name: 'Alison', artists: ['Slowdive'] })
  outside.spotify.behave('limited')
  expect(await spotify()).toMatchObject(SPOTIFY_DOWN)
  outside.spotify.behave('ok')
  await expect.poll(async () => (await spotify()).status, { interval: 300 }).toBe(200)
})

test("Spotify's token is requested once, and again when it is revoked", async () => {
  outside.spotify.know({ name: 'Alison', artists: ['Slowdive'] })
  await Promise.all([spotify(), spotify(), spotify()])
  expect(outside.spotify.requests.filter((call) => call === 'token')).toHaveLength(1)
  expect(outside.spotify.requests[1]).toBe('search:track:"Alison" artist:"Slowdive"')

  outside.spotify.takeTokensBack()
  expect((await spotify()).body.success).toBe(true)
  expect(outside.spotify.requests.filter((call) => call === 'token')).toHaveLength(2)
})

describe('diagnostics-19: a bad key', () => {
  beforeEach(() => app.renewServices({ YOUTUBE_API_KEY: 'wrong-key' }))

  test.each([
    ['a batch', batch],
    ['a replacement', replacement],
    ['one video', video],
  ] as const)('%s answers 400 and says so', async (_, ask) => {
    expect(await ask()).toMatchObject(refusal(400, 'API key not valid. Please check YOUTUBE_API_KEY.'))
    expect(app.errors.join()).not.toContain('wrong-key')
  })
})

test("when the key's quota is exhausted, videos are checked without the key", async () => {
  outside.youtube.know(VIDEO, { title: 'Alison', channel: 'Slowdive' })
  outside.youtube.useUpQuota()
  const { body } = await batch()

  expect(body.stats.blocked).toBeGreaterThan(0)
  expect(outside.youtube.requests.filter((call) => call.startsWith('oembed:'))).toHaveLength(
    body.stats.blocked,
  )
  expect((await video()).body).toMatchObject({
    embeddable: true,
    strategies: [{ success: false, detail: 'The day’s quota is used up.' }, { success: true }],
  })
})

test('one video without a response does not affect the others of its batch', async () => {
  app.renewServices({ YOUTUBE_API_KEY: '' })
  const [first] = await app.db<{ youtubeId: string }[]>`
    select youtube_id from songs where youtube_id is not null order by id limit 1`
  outside.youtube.know(first?.youtubeId ?? '', { title: 'Some title', channel: 'Some channel' })
  const { body } = await batch()

  expect(body.stats.accessible).toBe(1)
  expect(
    body.results.filter(({ error }) => error === 'There is no such video, or it was removed.'),
  ).toHaveLength(body.stats.blocked)
})

test("the server's logs contain no key and no secret", async () => {
  outside.youtube.behave('down')
  outside.spotify.behave('wrong')
  await Promise.all([spotify(), replacement(), video(), batch()])

  const secrets = [outside.youtube.key, outside.spotify.clientSecret]
  for (const secret of secrets) expect(app.errors.join('\n')).not.toContain(secret)
})

describe('one call at a time', () => {
  /* catalogue-10: all processes together keep the limits of outside services. */

  const database = setUpDatabase()
  const line = setUpService(() => startDatabaseProxy(database.target))
  const outside = setUpService(startOutside)
  const folder = setUpFolder()
  beforeEach(async () => {
    await database.db`truncate service_turns`
  })

  const MINUTE = 60_000

  test('an interval has as many turns as the limit, and a call that would wait too long takes none', async () => {
    const turns = createRateLimiter(database.db, 'A service', { limit: 2, interval: MINUTE })
    expect(await turns.reserve(0)).toBe(0)
    expect(await turns.reserve(0)).toBe(0)
    expect(await turns.reserve(0)).toBeNull()

    // The refused call took no turn.
    const waits: (number | null)[] = []
    for (let n = 0; n < 5; n++) waits.push(await turns.reserve(10 * MINUTE))
    expect(waits.map((wait) => Math.ceil((wait ?? 0) / MINUTE))).toEqual([1, 1, 2, 2, 3])
    // Another service has its own.
    const other = createRateLimiter(database.db, 'Another service', { limit: 1, interval: MINUTE })
    expect(await other.reserve(0)).toBe(0)
  })

  test('a Retry-After to one process pauses all, and a shorter one does not end it', async () => {
    const limit = { limit: 5, interval: 10 }
    const [one, other] = [limit, limit].map((same) => createRateLimiter(database.db, 'A service', same))
    await one?.pause(10 * MINUTE)
    await one?.pause(MINUTE)

    expect(await other?.reserve(MINUTE)).toBeNull()
    expect(await other?.reserve(10 * MINUTE)).toBeGreaterThan(9 * MINUTE)
  })

  test('processes that ask at once get turns of their own', async () => {
    const pools = [1, 2, 3].map(() => connect(database.target, { max: 4 }))
    try {
      const waits = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          createRateLimiter(pools[n % 3] as (typeof pools)[0], 'Busy', {
            limit: 1,
            interval: MINUTE,
          }).reserve(60 * MINUTE),
        ),
      )
      const turns = waits.map((wait) => Math.round((wait ?? -MINUTE) / MINUTE)).sort((a, b) => a - b)
      expect(turns).toEqual(Array.from({ length: 30 }, (_, n) => n))
    } finally {
      for (const pool of pools) await pool.end({ timeout: 5 })
    }
  })

  test('two programs together ask the public MusicBrainz once a second', async () => {
    await database.db`truncate songs`
    const songs = scaled(2, 8)
    await makeMicrogenre(database.db, songs)
    const env = {
      ...outside.withoutKeys,
      DATABASE_URL: line.target,
      MUSICBRAINZ_URL: 'https://musicbrainz.org',
      FETCH_HOSTS: JSON.stringify({ 'musicbrainz.org': outside.musicbrainz.url }),
      NODE_OPTIONS: `--import ${pathToFileURL(packagePath('tests/stand-ins/fetchHosts.mjs')).href}`,
    }
    const runs = [1, 2].map(() => startProgram('catalogue', ['enrich'], { env, folder }).programEnd)
    for (const ran of await Promise.all(runs)) expect(ran).toMatchObject({ code: 0 })

    const { times } = outside.musicbrainz
    expect(times.length).toBeGreaterThanOrEqual(songs)
    // Single ones may come late on a busy machine.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 1) * 1000)
  })
})
