import { beforeEach, describe, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import * as contract from '../../contract/diagnostics.ts'
import { PRODUCTION, setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { SIZES } from '../harness/testCatalogue.ts'
import { refusal } from '../harness/visitor.ts'
import { startOutside } from '../stand-ins/outside.ts'

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env)

beforeEach(async () => {
  outside.reset()
  app.renewServices()
  await app.db`truncate provider_cache, provider_quotas`
})
const ada = setUpListener(app)

const TOTAL = Object.values(SIZES).reduce((sum, size) => sum + size, 0)

test('diagnostics-10: the song count is right', async () => {
  expect((await ada.call(contract.countSongs)).body).toEqual({ total: TOTAL })
})

describe('a verification batch', () => {
  test('diagnostics-6, diagnostics-5: reports what YouTube says about each song, with counts', async () => {
    const songs = await videos()
    const [good, poor, forbidden, hidden] = songs
    outside.youtube.know(good.youtubeId, { title: `${good.artist} - ${good.title}`, channel: 'Topic' })
    outside.youtube.know(poor.youtubeId, { title: 'Something else', channel: poor.artist })
    outside.youtube.know(forbidden.youtubeId, { title: forbidden.title, channel: 'Label', embeddable: false })
    outside.youtube.know(hidden.youtubeId, { title: hidden.title, channel: 'Label', ageRestricted: true })
    const { status, body } = await ada.call(contract.verifyBatch, { body: { batchSize: 10, offset: 0 } })

    expect(status).toBe(200)
    expect(body).toMatchObject({ progress: Math.floor(1000 / TOTAL), currentBatch: 1, completed: false })
    expect(body.results).toHaveLength(10)
    expect(body.stats).toEqual({
      total: 10,
      accessible: 2,
      blocked: body.results.filter(({ youtubeId }) => youtubeId).length - 2,
      missing: body.results.filter(({ youtubeId }) => !youtubeId).length,
      goodMatches: 1,
      poorMatches: 1,
    })
    expect(verdict(body.results, good.songId)).toEqual({
      ...good,
      spotifyId: null,
      youtubeAccessible: true,
      youtubeTitle: `${good.artist} - ${good.title}`,
      qualityScore: 100,
      titleMatch: true,
      artistMatch: true,
      error: null,
    })
    expect(verdict(body.results, poor.songId)).toMatchObject({
      youtubeAccessible: true,
      qualityScore: 50,
      titleMatch: false,
      artistMatch: true,
    })
    expect(verdict(body.results, forbidden.songId)).toMatchObject({
      youtubeAccessible: false,
      youtubeTitle: forbidden.title,
      qualityScore: null,
      error: 'Its owner does not allow it to be embedded.',
    })
    expect(verdict(body.results, hidden.songId)).toMatchObject({ error: 'It is age-restricted.' })
    expect(body.results.find(({ youtubeId }) => !youtubeId)).toMatchObject({
      youtubeId: null,
      youtubeAccessible: false,
      qualityScore: null,
      error: null,
    })
    // All of them in one request.
    expect(outside.youtube.requests).toHaveLength(1)
  })

  test('diagnostics-8: does not ask again about known videos, and changes no song', async () => {
    const before = await app.db`select * from songs order by id`
    const first = await ada.call(contract.verifyBatch, { body: { batchSize: 20, offset: 0 } })
    const again = await ada.call(contract.verifyBatch, { body: { batchSize: 20, offset: 0 } })

    expect(again.body).toEqual(first.body)
    expect(outside.youtube.requests).toHaveLength(1)
    expect(await app.db`select * from songs order by id`).toEqual(before)
  })

  test('diagnostics-6: the batches of a run report every song once, and the last batch is complete', async () => {
    const seen: string[] = []
    for (let offset = 0; ; offset += 20) {
      const { body } = await ada.call(contract.verifyBatch, { body: { batchSize: 20, offset } })
      seen.push(...body.results.map(({ songId }) => songId))
      expect(body.currentBatch).toBe(offset / 20 + 1)
      expect(body.progress).toBe(Math.min(100, Math.floor(((offset + 20) / TOTAL) * 100)))
      if (body.completed) break
    }

    expect(new Set(seen).size).toBe(TOTAL)
    expect(seen).toHaveLength(TOTAL)
  })

  test('diagnostics-8: the size is clamped to 1 to 20 songs; a batch beyond the end is empty and complete', async () => {
    const sizeOf = async (batchSize: number, offset = 0) =>
      (await ada.call(contract.verifyBatch, { body: { batchSize, offset } })).body.results.length

    expect([await sizeOf(500), await sizeOf(0), await sizeOf(-3)]).toEqual([20, 1, 1])
    expect((await ada.raw(contract.verifyBatch.path, { method: 'POST' })).body).toMatchObject({
      currentBatch: 1,
    })
    const { body } = await ada.call(contract.verifyBatch, { body: { batchSize: 20, offset: 5000 } })
    expect(body).toMatchObject({ results: [], progress: 100, completed: true, stats: { total: 0 } })
  })

  test('diagnostics-8: one at a time for each listener, with a limit per minute', async () => {
    const bob = await app.signIn()
    outside.youtube.behave('slow')
    const running = ada.call(contract.verifyBatch, { body: { batchSize: 1, offset: 0 } })
    await expect.poll(() => outside.youtube.requests.length).toBe(1)
    const second = await ada.raw(contract.verifyBatch.path, { method: 'POST' })
    outside.youtube.behave('ok')
    const others = await bob.raw(contract.verifyBatch.path, { method: 'POST' })

    expect(second).toMatchObject(refusal(429, 'A batch is being verified already.'))
    expect([others.status, (await running).status]).toEqual([200, 200])
    expect((await ada.raw(contract.verifyBatch.path, { method: 'POST' })).status).toBe(200)

    await app.db`update limit_counters set count = 90 where key = ${`verify-batch:${ada.id}`}`
    expect(await ada.raw(contract.verifyBatch.path, { method: 'POST' })).toMatchObject(
      refusal(429, 'Too many batches were verified. Please wait a minute.'),
    )
  })
})

describe('auth status', () => {
  const NONE = {
    replitAuth: 'not configured',
    googleAuth: 'not configured',
    facebookAuth: 'not configured',
    openIdAuth: 'not configured',
    emailAuth: 'not configured',
  }

  test('diagnostics-11, diagnostics-12: database, users, provider, environment and the paths, and no more', async () => {
    const [row] = await app.db<{ count: number }[]>`select count(*)::int from users`

    expect((await ada.call(contract.getAuthStatus)).body).toEqual({
      database: 'connected',
      userCount: row?.count,
      ...NONE,
      passkeyAuth: 'configured',
      registration: 'open',
      environment: 'development',
      authEndpoints: { login: '/api/login', callback: '/api/callback', user: '/api/auth/user' },
    })
  })

  test.each([
    ['replitAuth', { REPLIT_CLIENT_ID: 'some-key' }],
    ['googleAuth', { GOOGLE_CLIENT_ID: 'some-key', GOOGLE_CLIENT_SECRET: 'some-key' }],
    ['facebookAuth', { FACEBOOK_CLIENT_ID: 'some-key', FACEBOOK_CLIENT_SECRET: 'some-key' }],
    ['openIdAuth', { OIDC_ISSUER: 'https://some-key.example', OIDC_CLIENT_ID: 'some-key' }],
    ['emailAuth', { SMTP_URL: 'smtp://some-key@127.0.0.1:9' }],
  ])('diagnostics-11: %s is reported once it is configured, without its keys', async (name, env) => {
    const server = await app.another(env)
    const { body } = await ada.at(server.url).call(contract.getAuthStatus)

    expect(body).toMatchObject({ ...NONE, [name]: 'configured' })
    expect(JSON.stringify(body)).not.toContain('some-key')
  })

  test('diagnostics-11, signin-20: passkeys are not available where browsers allow none', async () => {
    const server = await app.another({ PUBLIC_URL: 'http://127.0.0.1:3000' })

    expect((await ada.at(server.url).call(contract.getAuthStatus)).body.passkeyAuth).toBe('not configured')
  })
})

describe('the user creation test', () => {
  test('diagnostics-13: passes, and leaves no user and no session', async () => {
    const counts = () => app.db`
      select (select count(*) from users) as users, (select count(*) from sessions) as sessions,
        (select count(*) from listener_stats) as listeners, (select count(*) from identities) as identities`
    const before = await counts()
    const { status, headers, body } = await ada.call(contract.testUserCreation)

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        userCreation: 'passed',
        authFlow: 'passed',
        overall: 'passed',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    })
    expect(headers['set-cookie']).toBeUndefined()
    expect(await counts()).toEqual(before)
  })

  test('reports a database failure', async () => {
    await app.db`alter table listener_stats add constraint refuse_all check (user_id < 0) not valid`
    const { status, body } = await ada.call(contract.testUserCreation)
    await app.db`alter table listener_stats drop constraint refuse_all`

    expect(status).toBe(200)
    expect(body).toMatchObject({ userCreation: 'failed', authFlow: 'failed', overall: 'failed' })
  })

  test('is limited to a few per minute', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) statuses.push((await ada.call(contract.testUserCreation)).status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  })
})

describe('Spotify search', () => {
  const query = { artist: 'Slowdive', title: 'Alison' }

  test('diagnostics-18: returns the best match', async () => {
    outside.spotify.know(
      { name: 'When the Sun Hits', artists: ['Slowdive'] },
      {
        name: 'Alison',
        artists: ['Slowdive', 'A Guest'],
        album: 'Souvlaki',
        popularity: 61,
        previewUrl: 'https://p.scdn.co/mp3-preview/1',
        art: 'https://i.scdn.co/image/1',
      },
    )

    expect((await ada.call(contract.searchSpotify, { query })).body).toEqual({
      success: true,
      message: null,
      result: {
        trackId: 'track1'.padEnd(22, '0'),
        name: 'Alison',
        artists: ['Slowdive', 'A Guest'],
        album: 'Souvlaki',
        popularity: 61,
        matchScore: 100,
        hasPreview: true,
        previewUrl: 'https://p.scdn.co/mp3-preview/1',
        albumArt: 'https://i.scdn.co/image/1',
        spotifyUrl: `https://open.spotify.com/track/${'track1'.padEnd(22, '0')}`,
      },
    })
  })

  test('diagnostics-19: popularity and preview may be absent', async () => {
    outside.spotify.know({ name: 'Alison', artists: ['Slowdive'] })

    expect((await ada.call(contract.searchSpotify, { query })).body.result).toMatchObject({
      popularity: null,
      hasPreview: false,
      previewUrl: null,
      albumArt: null,
    })
  })

  test('no match is an unsuccessful result with a message', async () => {
    outside.spotify.know({ name: 'Raining Blood', artists: ['Slayer'] })

    expect((await ada.call(contract.searchSpotify, { query })).body).toEqual({
      success: false,
      message: 'No track was found that matches.',
      result: null,
    })
  })

  test('diagnostics-19: without credentials the response names what is missing, and no request is made', async () => {
    app.renewServices({ SPOTIFY_CLIENT_ID: '', SPOTIFY_CLIENT_SECRET: '' })

    expect((await ada.call(contract.searchSpotify, { query })).body).toEqual({
      success: false,
      message: 'Spotify is not configured. Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET.',
      result: null,
    })
    expect(outside.spotify.requests).toEqual([])
  })

  test('credentials that Spotify rejects are reported as such', async () => {
    app.renewServices({ SPOTIFY_CLIENT_SECRET: 'wrong' })

    expect(await ada.call(contract.searchSpotify, { query })).toMatchObject(
      refusal(400, expect.stringContaining('API key not valid')),
    )
    expect(app.errors).toEqual([])
  })
})

describe('a replacement', () => {
  const body = { artist: 'Slowdive', title: 'Alison' }

  test('diagnostics-18: is the embeddable video that matches best', async () => {
    outside.youtube.know('cover_of_it', { title: 'Slowdive "Alison" cover', channel: 'Ann & Ben' })
    outside.youtube.know('not_embedda', { title: 'Slowdive - Alison', channel: 'Label', embeddable: false })
    outside.youtube.know('the_officia', { title: 'Slowdive - Alison (Live)', channel: 'Rock & Roll' })
    outside.youtube.know('official_11', { title: "Slowdive's Alison", channel: 'Slowdive & Co' })

    expect((await ada.call(contract.findReplacement, { body })).body).toEqual({
      success: true,
      message: null,
      replacement: {
        videoId: 'the_officia',
        title: 'Slowdive - Alison (Live)',
        channelTitle: 'Rock & Roll',
        matchScore: 100,
        embeddable: true,
      },
    })
  })

  test('no match is an unsuccessful result with a message', async () => {
    expect((await ada.call(contract.findReplacement, { body })).body).toEqual({
      success: false,
      message: 'No video was found that matches and may be embedded.',
      replacement: null,
    })
  })

  test('diagnostics-19: without a key the response names what is missing, and no request is made', async () => {
    app.renewServices({ YOUTUBE_API_KEY: '' })

    expect((await ada.call(contract.findReplacement, { body })).body).toEqual({
      success: false,
      message: 'YouTube search is not configured. Set YOUTUBE_API_KEY.',
      replacement: null,
    })
    expect(outside.youtube.requests).toEqual([])
  })

  test('100 searches a day for all processes together; a cached search costs none', async () => {
    await ada.call(contract.findReplacement, { body })
    await ada.call(contract.findReplacement, { body })
    expect(outside.youtube.requests.filter((call) => call.startsWith('search:'))).toHaveLength(1)

    await app.db`update provider_quotas set used = 99`
    app.renewServices()
    const others = await app.signIn()
    await others.call(contract.findReplacement, { body: { ...body, title: 'the hundredth' } })
    expect((await ada.call(contract.findReplacement, { body: { ...body, title: 'one more' } })).body).toEqual(
      {
        success: false,
        message: 'The 100 searches of today are used up. Please try again tomorrow.',
        replacement: null,
      },
    )
    expect(outside.youtube.requests.filter((call) => call.startsWith('search:'))).toHaveLength(2)
    await app.db`update provider_quotas set day = day - 1`
    expect(
      (await ada.call(contract.findReplacement, { body: { ...body, title: 'tomorrow' } })).body.message,
    ).toMatch(/^No video/)
  })

  test('an exhausted YouTube quota answers with a message', async () => {
    outside.youtube.useUpQuota()

    expect((await ada.call(contract.findReplacement, { body })).body.message).toBe(
      'YouTube’s quota of today is used up. Please try again tomorrow.',
    )
  })
})

describe('one video', () => {
  const verify = async (videoId: string) =>
    (await app.signIn()).call(contract.verifyVideo, { params: { videoId }, query: { strategy: 'enhanced' } })

  test('diagnostics-18: reports every way of checking', async () => {
    outside.youtube.know('aVideo_that', { title: 'Alison', channel: 'Slowdive' })

    expect((await verify('aVideo_that')).body).toEqual({
      embeddable: true,
      accessible: true,
      error: null,
      strategies: [
        { name: 'YouTube Data API', success: true, detail: 'Alison' },
        { name: 'YouTube oEmbed', success: true, detail: 'Alison' },
      ],
    })
  })

  test('the default strategy checks in one way', async () => {
    outside.youtube.know('aVideo_that', { title: 'Alison', channel: 'Slowdive' })
    const { body } = await ada.call(contract.verifyVideo, { params: { videoId: 'aVideo_that' } })

    expect(body.strategies.map(({ name }) => name)).toEqual(['YouTube Data API'])
  })

  test.each([
    [{ embeddable: false }, { accessible: true, error: 'Its owner does not allow it to be embedded.' }],
    [{ privacy: 'private' }, { accessible: false }],
    [{ upload: 'deleted' }, { accessible: false, error: 'There is no such video, or it was removed.' }],
    [{ upload: 'rejected' }, { accessible: true, error: 'YouTube rejected it.' }],
    [{ ageRestricted: true }, { accessible: true, error: 'It is age-restricted.' }],
    [{ allowed: [] }, { accessible: true, error: 'It is blocked in every country.' }],
  ] as const)('%j cannot be embedded', async (video, expected) => {
    outside.youtube.know('aVideo_that', {
      title: 'Alison',
      channel: 'Slowdive',
      ...video,
      allowed: 'allowed' in video ? [] : undefined,
    })

    expect((await verify('aVideo_that')).body).toMatchObject({ embeddable: false, ...expected })
  })

  test('without a key oEmbed answers, and the response says what is missing', async () => {
    app.renewServices({ YOUTUBE_API_KEY: '' })
    outside.youtube.know('aVideo_that', { title: 'Alison', channel: 'Slowdive', embeddable: false })

    expect((await verify('aVideo_that')).body).toEqual({
      embeddable: false,
      accessible: true,
      error: 'Its owner does not allow it to be embedded.',
      strategies: [
        { name: 'YouTube Data API', success: false, detail: 'YOUTUBE_API_KEY is not set.' },
        { name: 'YouTube oEmbed', success: false, detail: 'Its owner does not allow it to be embedded.' },
      ],
    })
  })

  test('diagnostics-21: a malformed video id is rejected without a request to YouTube', async () => {
    for (const videoId of ['short', 'abcdefghijkl', 'abc%2F..%2Fdef', 'abcdefghi&k', '%20%20']) {
      expect(await ada.raw(contract.verifyVideo.path.replace(':videoId', videoId))).toMatchObject(
        refusal(400, 'videoId: must be a YouTube video ID of 11 characters'),
      )
    }
    expect(outside.youtube.requests).toEqual([])
  })
})

test.each([
  ['GET', contract.searchSpotify.path, { artist: ' ', title: 'x' }],
  ['GET', contract.searchSpotify.path, { artist: 'x' }],
  ['POST', contract.findReplacement.path, { artist: 'x', title: '  ' }],
])("diagnostics-17: %s %s with %j is rejected with the rule's message", async (method, path, words) => {
  const answer =
    method === 'POST'
      ? await ada.raw(path, { method, json: words })
      : await ada.raw(`${path}?${new URLSearchParams(words as Record<string, string>)}`)

  expect(answer).toMatchObject(refusal(400, 'Missing Information: Please enter both artist and title'))
  expect([...outside.spotify.requests, ...outside.youtube.requests]).toEqual([])
})

test('diagnostics-15: preview availability is checked for eight tracks', async () => {
  outside.deezer.forget('burial')
  const { body } = await ada.call(contract.testPreviewAvailability)

  expect(body).toMatchObject({ tracksFound: 7, tracksWithPreviews: 7, previewRate: 88 })
  expect(body.tracks).toHaveLength(8)
  expect(body.tracks.filter(({ found }) => !found)).toEqual([
    { title: 'Archangel', artist: 'Burial', found: false, hasPreview: false },
  ])
})

describe('the samples', () => {
  test('diagnostics-14: are always the same, and do not count as heard', async () => {
    const first = (await ada.call(contract.getSamples)).body
    const rows = await app.db`select from listener_genres where user_id = ${ada.id}`

    expect(first.songs).toHaveLength(4)
    expect(first.microgenre).toEqual({ id: first.songs[0]?.microgenreId, name: 'Bossa Nova' })
    expect((await (await app.signIn()).call(contract.getSamples)).body).toEqual(first)
    expect(rows).toHaveLength(0)
  })

  test('are the listed songs that the catalogue has', async () => {
    const other = await app.another()
    await app.db`update songs set artist = 'Slowdive', title = 'Alison' where key = 'zydeco-003'`
    const { body } = await (await other.signIn()).call(contract.getSamples)
    await app.db`update songs set artist = 'Artist 003', title = 'Zydeco 003' where key = 'zydeco-003'`

    expect(body.songs[0]).toMatchObject({ title: 'Alison', artist: 'Slowdive' })
    expect(body.microgenre?.name).toBe('Zydeco')
    expect(body.songs).toHaveLength(4)
  })
})

// everyCall.test.ts calls all of them.
test.each([
  ['development, not on the list', { DIAGNOSTIC_EMAILS: 'ops@example.test' }, true],
  ['production without a list', PRODUCTION, false],
  ['production, on the list', { ...PRODUCTION, DIAGNOSTIC_EMAILS: 'x@example.test, ADA@example.test' }, true],
])('diagnostics-1: access in %s', async (_, env, may) => {
  const ada = await app.signIn('ada@example.test')
  const localAda = ada.at((await app.another({ ...env, PUBLIC_URL: app.url })).url)

  expect((await localAda.call(contract.countSongs)).status).toBe(may ? 200 : 403)
  expect((await localAda.call(getCurrentUser)).body.maySeeDiagnostics).toBe(may)
})

interface Video {
  songId: string
  title: string
  artist: string
  youtubeId: string
}

/** The first four songs with a video, in verification order. */
async function videos(): Promise<[Video, Video, Video, Video]> {
  const rows = await app.db<Video[]>`
    select id as song_id, title, artist, youtube_id from songs where youtube_id is not null order by id limit 4`
  return [...rows] as [Video, Video, Video, Video]
}

const verdict = <T extends { songId: string }>(results: T[], songId: string) =>
  results.find((result) => result.songId === songId)
