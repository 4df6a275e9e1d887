import { expect, test } from 'vitest'
import { getCommunityStats, listMicrogenreStats, listTrending } from '../../contract/community.ts'
import {
  getPreferences,
  type Preferences,
  recommendMicrogenres,
  savePreferences,
} from '../../contract/onboarding.ts'
import { reportProgress } from '../../contract/playback.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { backdateAchievements, findMicrogenre, makeMicrogenre, rate, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpListener } from '../harness/setUpListener.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
const ANSWERS: Preferences = {
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
  expect(await heard(ada.id)).toEqual({ secondsListened: 40, totalDuration: 100 })
  await report(500)
  expect(await heard(ada.id)).toEqual({ secondsListened: 100, totalDuration: 100 })
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
  expect((await ada.call(savePreferences, { body: ANSWERS })).body).toEqual(ANSWERS)
  await ada.call(savePreferences, { body: { ...ANSWERS, musicMood: 'rhythmic' } })

  expect((await ada.call(getPreferences)).body).toEqual({ ...ANSWERS, musicMood: 'rhythmic' })
  expect((await bob.call(getPreferences)).body).toBeNull()
})

test('four microgenres are recommended, the best match first (onboarding-5)', async () => {
  const { body } = await ada.call(recommendMicrogenres, { query: ANSWERS })
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
    (await who.call(recommendMicrogenres, { query: ANSWERS })).body.recommendedMicrogenres[0]?.name
  const listeners = await Promise.all(Array.from({ length: 16 }, () => app.signIn()))
  const firsts = await Promise.all(listeners.map(firstOf))

  expect(await Promise.all(listeners.map(firstOf))).toEqual(firsts)
  expect(new Set(firsts)).toEqual(new Set(['Dub Techno', 'Dungeon Synth']))
})

async function heard(listener: string) {
  const [row] = await app.db`
    select seconds_listened, total_duration from listening_progress where user_id = ${listener}`
  return { ...row }
}
