import { expect, test } from 'vitest'
import { checkAchievements } from '../../contract/achievements.ts'
import { addPastRatings, listRatings, type PastRating } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { getTryout } from '../../contract/visitors.ts'
import { recount } from '../../server/community/recount.ts'
import { makeMicrogenre, prefetchSongs, rate, rateOn, streakOf } from '../factories.ts'
import { brokenHands } from '../harness/counts.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'

const app = setUpApp()

const HOUR = 3_600_000

const past = (songId: string, rating: PastRating['rating'] = 'banger', hoursAgo = 1): PastRating => ({
  songId,
  rating,
  ratedAt: new Date(Date.now() - hoursAgo * HOUR).toISOString(),
})

test('visitors-20: a tryout has ten songs that play, in another order each time', async () => {
  const genre = await makeMicrogenre(app.db, 40)
  const [retired = '', blocked = '', ...songs] = genre.songs
  const playable = songs.slice(0, 36)
  await app.db`
    update songs set youtube_id = lpad(id::text, 11, 'v'),
      blocked_video_id = case when id = ${blocked} then lpad(id::text, 11, 'v') end,
      retired_at = case when id = ${retired} then now() end
    where id = any(${[retired, blocked, ...playable]}::bigint[])`
  await app.db`update microgenres set live_song_count = 39 where id = ${genre.id}`
  const read = async (microgenre?: string) =>
    (await app.visitor().call(getTryout, { query: { microgenre } })).body
  // Of any microgenre: the others have fewer.
  const { songs: first, other } = await read()
  const { songs: second } = await read(first[0]?.microgenre.key)

  expect([first[0]?.microgenre.name, other]).toEqual([genre.name, null])
  for (const dealt of [first, second]) {
    expect(new Set(dealt.map(({ id }) => id)).size).toBe(10)
    expect(dealt.every(({ id }) => playable.includes(id))).toBe(true)
  }
  expect(first.map(({ id }) => id)).not.toEqual(second.map(({ id }) => id))
  const unknown = await app.visitor().call(getTryout, { query: { microgenre: 'unknown' } })
  expect(unknown.status).toBe(404)
})

test('visitors-23: ratings of a visitor are added once, with their times, and count as any rating', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 30)
  const other = await makeMicrogenre(app.db, 4)
  const ahead = (await prefetchSongs(ada, genre.id)).map(({ id }) => id)
  const [own = '', dealt = ''] = ahead
  const [loved = '', hated = '', future = '', retired = ''] = other.songs
  await rate(ada, genre.id, own, 'bust')
  await app.db`update songs set retired_at = now() where id = ${retired}`
  await app.db`update microgenres set live_song_count = 3 where id = ${other.id}`
  const ratings = [
    past(hated, 'bust', 24 * 400),
    past(future, 'bust', -24),
    past(own, 'banger', 2),
    past(dealt, 'banger', 3),
    past(loved, 'banger', 4),
    past(loved, 'bust', 5),
    past(retired),
    past('99999999'),
  ]

  const answers = await Promise.all([1, 2].map(() => ada.call(addPastRatings, { body: { ratings } })))
  expect(answers.map(({ body }) => body.added).sort()).toEqual([0, 4])
  expect((await ada.call(addPastRatings, { body: { ratings } })).body).toEqual({ added: 0 })

  const stored = (await ada.call(listRatings)).body
  expect(stored.map(({ id, rating }) => [id, rating])).toEqual([
    [future, 'bust'],
    [own, 'bust'],
    [dealt, 'banger'],
    [loved, 'banger'],
    [hated, 'bust'],
  ])
  const [now, , ...times] = stored.map(({ createdAt }) => (Date.now() - Date.parse(createdAt)) / HOUR)
  expect(now).toBeGreaterThanOrEqual(0)
  expect(times).toEqual([3, 4, 24 * 30].map((hours) => expect.closeTo(hours, 1)))
  expect((await ada.call(getMyStats)).body).toMatchObject({ totalRatings: 5, totalBangers: 2 })
  expect(await streakOf(app.db, ada.id)).toBe(5)
  expect((await ada.call(checkAchievements)).body.map(({ type }) => type)).toEqual([
    'first_banger',
    'streak_5',
  ])
  const rest = await rateOn(ada, genre.id)
  expect(rest).toHaveLength(28)
  expect(rest).not.toContain(dealt)
  expect(await rateOn(ada, other.id)).toEqual([])
  await expectRecount(app.db)
  expect(Object.values(await recount(app.db))).toEqual(Array(6).fill(0))
  expect(await brokenHands(app.db)).toEqual([])
})
