import { beforeAll, describe, expect, test } from 'vitest'
import { getCommunityStats, listMicrogenreStats, listTrending } from '../../contract/community.ts'
import { COVERAGE_COLUMNS, coveragePercent, getCoverage, sortByCoverageGap } from '../../contract/coverage.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import {
  getPreferences,
  type Preferences,
  recommendMicrogenres,
  savePreferences,
} from '../../contract/onboarding.ts'
import { reportProgress } from '../../contract/playback.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { backdateAchievements, findMicrogenre, makeMicrogenre, rate, rateOn } from '../factories.ts'
import { runCatalogueHere } from '../harness/CatalogueTool.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { SIZES } from '../harness/testCatalogue.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
const PREFERENCES: Preferences = {
  energyPreference: 'slow',
  vocalPreference: 'instrumental',
  familiarityLevel: 'obscure',
  musicMood: 'ambient',
}

test('the figures are zero before anybody has rated', async () => {
  expect((await ada.call(getCommunityStats)).body).toEqual({
    totalBangers: 0,
    activeUsers: 0,
    totalRatings: 0,
  })
  expect((await ada.call(listTrending)).body).toEqual([])
  expect((await ada.call(listMicrogenreStats)).body).toHaveLength(5)
})

test('community-7: the figures count every listener once', async () => {
  const bob = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dub-techno')
  const [one = '', two = '', three = ''] = genre.songs
  await rate(ada, genre.id, one)
  await rate(bob, genre.id, one)
  await rate(ada, genre.id, two)
  await rate(bob, genre.id, three, 'bust')
  await rollUp(app.db)

  expect((await ada.call(getCommunityStats)).body).toEqual({
    totalBangers: 3,
    activeUsers: 2,
    totalRatings: 4,
  })
  expect((await ada.call(listTrending)).body).toEqual([
    {
      id: one,
      title: 'Dub Techno 000',
      artist: 'Artist 000',
      year: expect.any(Number),
      albumArt: expect.stringContaining('https://i.ytimg.com/vi/'),
      youtubeId: expect.any(String),
      youtubeBlocked: false,
      spotifyId: null,
      deezerId: null,
      deezerTrackId: null,
      audio: null,
      duration: expect.any(Number),
      microgenre: 'Dub Techno',
      microgenreId: genre.id,
      color: '#35b5b0',
      bangerCount: 2,
    },
    expect.objectContaining({ id: two, bangerCount: 1 }),
  ])
  const [first] = (await ada.call(listMicrogenreStats)).body
  expect(first).toEqual({
    id: genre.id,
    name: 'Dub Techno',
    description: expect.any(String),
    color: '#35b5b0',
    bangerCount: 3,
    songCount: 5,
  })
})

test('trending sorts by bangers of the last 30 days, then of all time', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 2)
  const [old = '', recent = ''] = genre.songs
  await rate(ada, genre.id, old)
  await rate(bob, genre.id, old)
  await app.db`update ratings set rated_at = (rated_at at time zone 'UTC' - interval '40 days') at time zone 'UTC' where song_id = ${old}`
  await app.db`update rating_changes set new_rated_at = (new_rated_at at time zone 'UTC' - interval '40 days') at time zone 'UTC' where song_id = ${old}`
  await rate(ada, genre.id, recent)
  await rollUp(app.db)
  const ids = (await ada.call(listTrending)).body.map(({ id }) => id)

  expect(ids.indexOf(recent)).toBeLessThan(ids.indexOf(old))
  expect(ids.length).toBeLessThanOrEqual(20)
})

test('listening progress keeps the maximum, and may return an achievement', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const songId = genre.songs[0] ?? ''
  const report = (secondsListened: number, totalDuration = 100) =>
    ada.call(reportProgress, { body: { songId, secondsListened, totalDuration } })
  expect((await report(40)).body).toEqual({ achievement: null })
  await report(20)
  expect(await countHeard(ada.id)).toEqual({ secondsListened: 40, totalDuration: 100 })
  await report(500)
  expect(await countHeard(ada.id)).toEqual({ secondsListened: 100, totalDuration: 100 })
  await rateOn(ada, genre.id)
  await backdateAchievements(app.db, ada.id)

  expect((await report(100)).body).toEqual({ achievement: { type: 'first_banger', metadata: {} } })
  expect((await report(100)).body).toEqual({ achievement: null })
})

test('progress on an unknown song is rejected', async () => {
  const body = { songId: '999999999', secondsListened: 1, totalDuration: 2 }

  expect(await ada.call(reportProgress, { body })).toMatchObject(refusal(404, 'There is no such song.'))
})

test('questionnaire answers are null until they are saved; later answers replace them', async () => {
  const bob = await app.signIn()
  const before = await ada.raw(getPreferences.path)
  expect([before.status, before.text]).toEqual([200, 'null'])
  expect((await ada.call(savePreferences, { body: PREFERENCES })).body).toEqual(PREFERENCES)
  await ada.call(savePreferences, { body: { ...PREFERENCES, musicMood: 'rhythmic' } })

  expect((await ada.call(getPreferences)).body).toEqual({ ...PREFERENCES, musicMood: 'rhythmic' })
  expect((await bob.call(getPreferences)).body).toBeNull()
})

test('four microgenres are recommended, the best match first (onboarding-5)', async () => {
  const { body } = await ada.call(recommendMicrogenres, { query: PREFERENCES })
  const names = body.recommendedMicrogenres.map(({ name }) => name)

  // They match equally well.
  expect(names.slice(0, 2).toSorted()).toEqual(['Dub Techno', 'Dungeon Synth'])
  expect(new Set(names).size).toBe(4)
  expect(Object.keys(body.recommendedMicrogenres[0] ?? {}).sort()).toEqual(
    ['bangerCount', 'color', 'description', 'id', 'name', 'reason', 'songCount'].sort(),
  )
})

test('a listener with the same answers gets the same microgenres, another listener may not (onboarding-5)', async () => {
  const firstOf = async (who: Visitor) =>
    (await who.call(recommendMicrogenres, { query: PREFERENCES })).body.recommendedMicrogenres[0]?.name
  const listeners = await Promise.all(Array.from({ length: 16 }, () => app.signIn()))
  const firsts = await Promise.all(listeners.map(firstOf))

  expect(await Promise.all(listeners.map(firstOf))).toEqual(firsts)
  expect(new Set(firsts)).toEqual(new Set(['Dub Techno', 'Dungeon Synth']))
})

async function countHeard(listener: string) {
  const [row] = await app.db`
    select seconds_listened, total_duration from listening_progress where user_id = ${listener}`
  return { ...row }
}

describe('coverage', () => {
  const app = setUpApp()
  const line = setUpService(() => startDatabaseProxy(app.target))

  /** Of eight songs, the first, third, fifth and seventh have a video. */
  beforeAll(async () => {
    await app.db`
    update songs set recording_mbid = ${`${'1'.repeat(8)}-1111-1111-1111-${'1'.repeat(12)}`}, deezer_track_id = '1'
    where key = 'bossa-nova-000'`
    await app.db`
    update songs set deezer_track_id = '2', spotify_id = ${'1'.repeat(22)} where key = 'bossa-nova-001'`
    await app.db`update songs set blocked_video_id = youtube_id where key = 'bossa-nova-002'`
    await app.db`update songs set blocked_video_id = 'another_one' where key = 'bossa-nova-004'`
    await app.db`update songs set retired_at = now() where key = 'bossa-nova-006'`
    await app.db`
    update microgenres set live_song_count = live_song_count - 1 where key = 'bossa-nova'`
    const ada = await app.signIn()
    const rated = await app.db<{ songId: string; microgenreId: string }[]>`
    select id as song_id, microgenre_id from songs where key in ('bossa-nova-000', 'bossa-nova-001') order by key`
    for (const [n, song] of rated.entries()) {
      const heard = n === 0 ? ({ seconds: 12, source: 'preview' } as const) : null
      await ada.call(rateAndAdvance, { body: { ...song, rating: 'banger', heard } })
    }
    await rollUp(app.db)
  })

  test('diagnostics-25: counts the live songs with each kind of data, and those that nobody heard', async () => {
    const { body } = await (await app.signIn()).call(getCoverage)

    expect(body.microgenres.find(({ microgenre }) => microgenre === 'Bossa Nova')).toEqual({
      microgenre: 'Bossa Nova',
      songs: 7,
      identified: 1,
      withVideo: 2,
      withPreview: 2,
      withSpotify: 1,
      heardByNobody: 6,
    })
    const total = Object.values(SIZES).reduce((sum, size) => sum + size, 0)
    expect(body.all).toMatchObject({ songs: total - 1, identified: 1, heardByNobody: total - 2 })
  })

  test('diagnostics-25: the program prints the same figures, and still reports errors by its exit code', async () => {
    await app.db`
    insert into microgenres (key, name, family, description, color, energy, vocals, familiarity, mood)
    values ('silence', 'Silence', 'None', 'Nothing.', '#000000', '{}', '{}', '{}', '{}')`
    const { body } = await (await app.signIn()).call(getCoverage)
    const { code, stdout } = await check()
    const lines = stdout.split('\n')
    const start = lines.findIndex((one) => one.startsWith('Microgenre '))
    const table = lines.slice(start, start + body.microgenres.length + 2)

    expect(code).toBe(0)
    expect(table[0]).toMatch(/Songs +Identified +Video +Preview +Spotify id +Heard by nobody$/)
    expect(new Set(table.map(({ length }) => length)).size).toBe(1)
    expect(table[1]).toMatch(/^Silence +0( +0){5}$/)
    expect(table.find((one) => one.startsWith('Bossa Nova'))).toMatch(
      /^Bossa Nova +7 +1 +14% +2 +28% +2 +28% +1 +14% +6 +85%$/,
    )
    expect(table.at(-1)).toMatch(new RegExp(`^All +${body.all.songs} `))

    await app.db`
    update microgenres set live_song_count = 1, song_count = 1 where key = 'silence'`
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining('Errors found.') })
  })

  test('diagnostics-25, diagnostics-26: only exact percentages are 0 or 100, and the largest gap comes first', () => {
    const full = { songs: 1000, identified: 999, withVideo: 1, withPreview: 1000, withSpotify: 0 }
    const row = { ...full, heardByNobody: 1 }

    expect(COVERAGE_COLUMNS.map(({ of }) => coveragePercent(row, of))).toEqual([99, 1, 100, 0, 1])
    expect(coveragePercent({ ...row, heardByNobody: 0 }, 'heardByNobody')).toBe(0)
    expect(coveragePercent({ ...row, heardByNobody: 999 }, 'heardByNobody')).toBe(99)
    expect(coveragePercent({ ...row, heardByNobody: 1000 }, 'heardByNobody')).toBe(100)
    expect(coveragePercent({ ...row, songs: 0 }, 'withVideo')).toBeNull()

    const of = (microgenre: string, songs: number, withVideo: number, heardByNobody: number) => ({
      ...row,
      microgenre,
      songs,
      withVideo,
      heardByNobody,
    })
    const rows = [of('A', 10, 9, 10), of('B', 10, 1, 0), of('C', 20, 2, 1), of('D', 0, 0, 0)]
    const names = (by: 'withVideo' | 'heardByNobody') =>
      sortByCoverageGap(rows, by).map((one) => one.microgenre)
    expect(names('withVideo')).toEqual(['D', 'C', 'B', 'A'])
    expect(names('heardByNobody')).toEqual(['D', 'A', 'C', 'B'])
  })

  function check() {
    return runCatalogueHere(['check', '--coverage'], {
      environment: { DATABASE_URL: line.target },
      folder: app.dataDir,
    })
  }
})
