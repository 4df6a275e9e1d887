import { pino } from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { readEnv } from '../../server/env.ts'
import { createDeezer } from '../../server/integrations/deezer.ts'
import { createListenbrainz } from '../../server/integrations/listenbrainz.ts'
import { createMusicbrainz } from '../../server/integrations/musicbrainz.ts'
import { VERSION } from '../../server/packagePath.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Behaviour } from '../stand-ins/behaviour.ts'
import { startOutside } from '../stand-ins/outside.ts'

/* The clients of ListenBrainz and MusicBrainz, and Deezer by ISRC. Failures are values. */

const LOG = pino({ level: 'silent' })
const MBID = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'
const ARTIST = 'db92a151-1ac2-438b-bc43-b82e149ddd50'
const RELEASE = '18550a84-4ede-451c-a91a-dd9b3af9f71d'

/** Where clients take turns. */
const database = setUpDatabase()
const outside = setUpService(startOutside)
beforeEach(() => outside.reset())

test('MusicBrainz finds recordings by names, ids and ISRCs, with what distinguishes them', async () => {
  outside.musicbrainz.know({
    mbid: MBID,
    title: 'What? (Part 1)',
    artist: 'AC/DC',
    artistMbid: ARTIST,
    aliases: ['Acca Dacca'],
    disambiguation: 'live',
    lengthMs: 200_000,
    isrcs: ['GBAAP7300001'],
    tags: { 'Hard Rock': 2, rock: 1, polka: 0 },
    releases: [
      { mbid: RELEASE, date: '1973-03-01', secondaryTypes: ['Live'] },
      { mbid: MBID, status: 'Promotion', isVarious: true },
    ],
  })
  const musicbrainz = musicbrainzOf()
  const musicbrainzRecording = {
    recordings: [
      {
        mbid: MBID,
        title: 'What? (Part 1)',
        disambiguation: 'live',
        artist: 'AC/DC',
        leadArtist: { mbid: ARTIST, aliases: ['AC/DC', 'Acca Dacca'] },
        lengthMs: 200_000,
        isVideo: false,
        isrcs: ['GBAAP7300001'],
        firstReleased: '1973-03-01',
        releases: [
          {
            mbid: RELEASE,
            isOfficial: true,
            isVarious: false,
            date: '1973-03-01',
            primaryType: 'Album',
            secondaryTypes: ['Live'],
          },
          {
            mbid: MBID,
            isOfficial: false,
            isVarious: true,
            date: null,
            primaryType: 'Album',
            secondaryTypes: [],
          },
        ],
        tags: ['hard rock', 'rock'],
        strongestTags: ['hard rock'],
      },
    ],
  }

  expect(await musicbrainz.search('AC/DC', 'What? (Part 1) OR "x"')).toMatchObject(musicbrainzRecording)
  expect(await musicbrainz.find([RELEASE, MBID])).toMatchObject(musicbrainzRecording)
  expect(await musicbrainz.findByIsrcs(['GBAAP7300001'])).toMatchObject(musicbrainzRecording)
  expect(await musicbrainz.find([RELEASE])).toMatchObject({ recordings: [] })
  // A title is no query.
  expect(outside.musicbrainz.requests).toEqual([
    'recording:(what\\? \\(part 1\\) or \\"x\\") AND artist:(ac\\/dc)',
    `rid:(${RELEASE} OR ${MBID})`,
    'isrc:(GBAAP7300001)',
    `rid:(${RELEASE})`,
  ])
})

test('MusicBrainz names its genres; a broken list is a failure', async () => {
  outside.musicbrainz.nameGenres('dream pop', 'hard rock')
  expect(await musicbrainzOf().genres()).toEqual({ names: ['dream pop', 'hard rock'] })
  for (const behaviour of ['gone', 'wrong'] as const) {
    outside.musicbrainz.behave(behaviour)
    expect(await musicbrainzOf().genres()).toEqual({ error: expect.any(String) })
  }
})

test('MusicBrainz finds recordings by tag, 100 at a time', async () => {
  const knownRecording = { artist: 'Ann', artistMbid: ARTIST, tags: { 'bossa nova': 1 } }
  const mbidOf = (n: number) => `${MBID.slice(0, -3)}${String(n).padStart(3, '0')}`
  for (let n = 0; n < 101; n++)
    outside.musicbrainz.know({ ...knownRecording, mbid: mbidOf(n), title: `Song ${n}` })
  const pageOf = async (page: number) => {
    const musicbrainzRecording = await musicbrainzOf().findByTag('bossa nova', page)
    return 'error' in musicbrainzRecording
      ? musicbrainzRecording.error
      : [
          musicbrainzRecording.pages,
          musicbrainzRecording.recordings.length,
          musicbrainzRecording.recordings[0]?.title,
        ]
  }

  expect(await pageOf(0)).toEqual([2, 100, 'Song 0'])
  expect(await pageOf(1)).toEqual([2, 1, 'Song 100'])
  // A tag is no query.
  await musicbrainzOf().findByTag('5" single', 0)
  expect(outside.musicbrainz.requests.at(-1)).toBe('tag:"5\\" single"')
})

test('ListenBrainz returns the radio of a tag, with the source of each tag', async () => {
  outside.listenbrainz.tag('bossa nova', [
    { mbid: MBID, source: 'recording', count: 3 },
    { mbid: RELEASE, source: 'artist', count: 1 },
  ])

  expect(await listenbrainzOf().radio('bossa nova', 500)).toEqual({
    recordings: [
      { mbid: MBID, tagged: 'recording' },
      { mbid: RELEASE, tagged: 'artist' },
    ],
  })
  expect(await listenbrainzOf().radio('nothing', 500)).toEqual({ recordings: [] })
  expect(await listenbrainzOf({ LISTENBRAINZ_TOKEN: 'wrong' }).radio('bossa nova', 500)).toBe('bad-token')
})

test("MusicBrainz and ListenBrainz receive the operator's address", async () => {
  await musicbrainzOf({ CONTACT_EMAIL: 'ops@bangers.example' }).find([MBID])
  await musicbrainzOf().find([MBID])

  expect([...outside.musicbrainz.agents]).toEqual([
    `BangerOrBust/${VERSION} ( ops@bangers.example )`,
    `BangerOrBust/${VERSION} ( http://localhost:3000 )`,
  ])
})

test('ListenBrainz answers in the order of the questions, and leaves out names that are too long', async () => {
  const song = { artist: 'Rick Astley', title: 'Never Gonna Give You Up' }
  outside.listenbrainz.know(song, { ...song, mbid: MBID })
  const requests = [
    { artist: 'Nobody', title: 'Knows' },
    { artist: 'x'.repeat(200), title: 'y'.repeat(200) },
    { artist: 'RICK ASTLEY', title: 'never gonna, give you up!' },
  ]

  expect(await listenbrainzOf().lookUp(requests)).toEqual({
    matches: [null, null, { ...song, recordingMbid: MBID }],
  })
  expect(outside.listenbrainz.requests).toEqual([2])
  expect(await listenbrainzOf({ LISTENBRAINZ_TOKEN: 'wrong' }).lookUp(requests)).toBe('bad-token')
  expect(createListenbrainz(envOf(outside.withoutKeys), LOG, database.db)).toBeNull()
})

test('Deezer finds a track by ISRC', async () => {
  outside.deezer.know({ title: 'Song', artist: 'Ann', seconds: 200, isrc: 'GBAAP7300001' })
  const deezer = createDeezer(envOf(outside.env), LOG, database.db)

  expect(await deezer.findByIsrc('GBAAP7300001')).toMatchObject({
    tracks: [{ title: 'Song', artist: 'Ann', isrc: 'GBAAP7300001', durationMs: 200_000 }],
  })
  expect(await deezer.findByIsrc('GBAAP7300002')).toEqual({ tracks: [] })
})

test.each<Behaviour>(['wrong', 'down', 'gone', 'cut', 'limited'])(
  'services that are %s give a failure, and a later answer',
  async (behaviour) => {
    const [musicbrainz, listenbrainz] = [musicbrainzOf(), listenbrainzOf()]
    const song = { artist: 'Ann', title: 'Song' }
    outside.musicbrainz.behave(behaviour)
    outside.listenbrainz.behave(behaviour)
    const failed = { error: expect.any(String) }
    expect(await Promise.all([musicbrainz.search('Ann', 'Song'), listenbrainz.lookUp([song])])).toEqual([
      failed,
      failed,
    ])

    outside.musicbrainz.behave('ok')
    outside.listenbrainz.behave('ok')
    expect(await Promise.all([musicbrainz.search('Ann', 'Song'), listenbrainz.lookUp([song])])).toMatchObject(
      [{ recordings: [] }, { matches: [null] }],
    )
  },
)

test.each<Behaviour>(['down', 'limited', 'cut'])(
  'a service that is %s for a moment is asked again after the pause that it asks for',
  async (behaviour) => {
    outside.musicbrainz.behave(behaviour, 1)
    outside.listenbrainz.behave(behaviour, 1)

    expect(await musicbrainzOf().search('Ann', 'Song')).toMatchObject({ recordings: [] })
    expect(await listenbrainzOf().lookUp([{ artist: 'Ann', title: 'Song' }])).toEqual({ matches: [null] })
    expect(outside.musicbrainz.requests).toHaveLength(2)
    expect(outside.listenbrainz.requests).toHaveLength(2)
  },
)

test('the public MusicBrainz is asked once a second, an own mirror as fast as it answers', async () => {
  const times: number[] = []
  vi.stubGlobal('fetch', async () => {
    times.push(performance.now())
    return new Response('{"recordings":[]}')
  })
  const env = envOf({})
  const musicbrainz = createMusicbrainz(env, LOG, database.db)
  await Promise.all([musicbrainz.find([MBID]), musicbrainz.find([MBID])])
  const [first = 0, second = 0] = times
  expect(second - first).toBeGreaterThan(1000)

  times.length = 0
  const mirror = createMusicbrainz(envOf({ MUSICBRAINZ_URL: 'https://mirror.example' }), LOG, database.db)
  await Promise.all(Array.from({ length: 20 }, () => mirror.find([MBID])))
  // One a second would take 19 seconds.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(10_000)
})

const envOf = (settings: Record<string, string>) => readEnv({ NODE_ENV: 'test', ...settings })

/** Clients of their own, so that a circuit breaker does not affect other tests. */
const musicbrainzOf = (settings: Record<string, string> = {}) =>
  createMusicbrainz(envOf({ ...outside.env, ...settings }), LOG, database.db)

function listenbrainzOf(settings: Record<string, string> = {}) {
  const listenbrainz = createListenbrainz(envOf({ ...outside.env, ...settings }), LOG, database.db)
  if (!listenbrainz) throw new Error('ListenBrainz needs a token.')
  return listenbrainz
}
