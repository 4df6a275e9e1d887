import { expect, test } from 'vitest'
import { checkAchievements } from '../../contract/achievements.ts'
import { rateAndAdvance, restartMicrogenre } from '../../contract/discovery.ts'
import type { Body } from '../../contract/endpoint.ts'
import { removeRating } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'
import { makeMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpListener } from '../harness/setUpListener.ts'
import type { Visitor } from '../harness/visitor.ts'

/* What the answer to a rating tells, so that the page need not ask (discover-66). */

const app = setUpApp()
const ada = setUpListener(app)
const zone = 'Europe/Berlin'

type Rating = Body<typeof rateAndAdvance>
const send = async (listener: Visitor, body: Rating) => (await listener.call(rateAndAdvance, { body })).body

test("discover-66: the answer has the listener's totals and those of the day, as the calls for them answer", async () => {
  const genre = await makeMicrogenre(app.db, 4)
  const [first = '', second = '', third = ''] = genre.songs
  const there = await app.signIn()
  const rating = { microgenreId: genre.id, rating: 'banger', zone } as const
  await send(there, { ...rating, songId: first })

  expect(await send(ada, { ...rating, songId: first })).toMatchObject({
    totals: { totalBangers: 1, totalRatings: 1 },
    today: { dailyBangers: 1, dailyRatings: 1 },
  })
  await app.db`update ratings set rated_at = (rated_at at time zone 'UTC' - interval '2 days') at time zone 'UTC' where song_id = ${first}`
  expect(await send(ada, { ...rating, songId: second, rating: 'bust' })).toMatchObject({
    totals: { totalBangers: 1, totalRatings: 2 },
    today: { dailyBangers: 0, dailyRatings: 1 },
  })
  const { totals, today } = await send(ada, { ...rating, songId: third })
  expect((await ada.call(getMyStats)).body).toMatchObject(totals)
  expect((await ada.call(getDailyStats, { query: { tz: zone } })).body).toMatchObject(today ?? {})

  // A repeated rating, one that changed, and one of a later pass.
  expect(await send(ada, { ...rating, songId: third })).toMatchObject({ totals, today })
  expect(await send(ada, { ...rating, songId: third, rating: 'bust' })).toMatchObject({
    totals: { totalBangers: 1, totalRatings: 3 },
    today: { dailyBangers: 0, dailyRatings: 2 },
  })
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  expect(await send(ada, { ...rating, songId: first })).toMatchObject({
    totals: { totalBangers: 1, totalRatings: 3 },
    today: { dailyBangers: 1, dailyRatings: 3 },
  })
  await ada.call(removeRating, { params: { songId: third } })
  expect(await send(ada, { ...rating, songId: first })).toMatchObject({
    totals: { totalBangers: 1, totalRatings: 2 },
  })
})

test('discover-66: whoever does not say their zone gets an answer without the day', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  const [songId = ''] = genre.songs

  const { status, body } = await ada.call(rateAndAdvance, {
    body: { microgenreId: genre.id, songId, rating: 'bust' },
  })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      completed: false,
      nextSong: expect.objectContaining({ microgenreId: genre.id }),
      ratedAt: expect.any(String),
      room: null,
      totals: { totalBangers: 0, totalRatings: 1 },
      today: null,
      unlocked: false,
    },
  })
})

test('discover-66: the answer says whether an achievement waits to be announced', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  const [first = '', second = ''] = genre.songs
  const rating = { microgenreId: genre.id, rating: 'banger' } as const

  expect(await send(ada, { ...rating, songId: first })).toMatchObject({ unlocked: true })
  // The page did not get the answer.
  expect(await send(ada, { ...rating, songId: first })).toMatchObject({ unlocked: true })
  await ada.call(checkAchievements)
  expect(await send(ada, { ...rating, songId: second })).toMatchObject({ unlocked: false })
})

test('discover-17: an unknown zone is UTC, and one that is too long is rejected', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  await rateOn(ada, genre.id, { most: 1 })
  const [songId = ''] = genre.songs
  const rating = { microgenreId: genre.id, songId, rating: 'bust' } as const
  const { today } = await send(ada, { ...rating, zone: 'Mars/Olympus' })
  expect((await ada.call(getDailyStats)).body).toMatchObject(today ?? {})
  const body = { ...rating, zone: 'x'.repeat(65) }
  expect((await ada.call(rateAndAdvance, { body })).status).toBe(400)
})
