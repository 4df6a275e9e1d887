import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import type { rateAndAdvance } from '../../contract/discovery.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'
import type { Rating } from '../../contract/shapes.ts'
import { makeSong } from '../../tests/makeSong.ts'
import { query } from '../api/query.ts'
import { applyRatingToCache } from './applyRatingToCache.ts'
import { type CachedRatings, ratingsQuery } from './ratingsQuery.ts'

const dailyStatsKey = query(getDailyStats, { query: { tz: 'Europe/Berlin' } }).queryKey
const statsKey = query(getMyStats).queryKey
const bangersKey = query(listRatings, { query: { type: 'banger' } }).queryKey

type RateResponse = ResponseOf<typeof rateAndAdvance>

let seconds = 0
/** The time of the next rating. */
const nextTimestamp = () => `2026-01-02T03:04:${String(++seconds).padStart(2, '0')}.678901Z`

const makeResponse = (totalRatings: number, more: Partial<RateResponse> = {}): RateResponse => ({
  completed: true,
  nextSong: null,
  ratedAt: nextTimestamp(),
  listeners: 1,
  room: null,
  totals: { totalBangers: totalRatings, totalRatings },
  today: { dailyBangers: 8, dailyRatings: 9 },
  unlocked: false,
  ...more,
})

const makeRating = (id: string, rating: Rating = 'banger') => ({
  id,
  rating,
  createdAt: '2026-01-01T00:00:00.000Z',
  song: makeSong(id),
})

const makeBust = (id: string) =>
  ({ song: makeSong(id), rating: 'bust', sentAt: performance.now(), dailyStatsKey }) as const

/** A cache with everything that counts ratings; two bangers were rated. */
function createRatedCache() {
  const client = new QueryClient()
  client.setQueryData(statsKey, { totalBangers: 2, totalRatings: 2, favoriteMicrogenre: 'dub' })
  client.setQueryData(dailyStatsKey, { dailyBangers: 1, dailyRatings: 2 })
  client.setQueryData<CachedRatings>(ratingsQuery.queryKey, {
    ratings: [makeRating('2'), makeRating('1')],
    isComplete: true,
  })
  for (const key of [bangersKey, [listAchievements.path], [listAchievementProgress.path]])
    client.setQueryData(key, [])
  const applyRating = (
    id: string,
    answer: RateResponse,
    rating: Rating = 'banger',
    sentAt = performance.now(),
  ) => applyRatingToCache(client, { song: makeSong(id), rating, response: answer, sentAt, dailyStatsKey })
  const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
  const ids = () => client.getQueryData<CachedRatings>(ratingsQuery.queryKey)?.ratings.map(({ id }) => id)
  return { client, applyRating, isStale, ids }
}

test('library-8: the answer to a rating updates the totals, the day and the list, and the rest is stale', () => {
  const { client, applyRating, isStale, ids } = createRatedCache()
  applyRating('3', makeResponse(3))
  expect(client.getQueryData(statsKey)).toEqual({
    totalBangers: 3,
    totalRatings: 3,
    favoriteMicrogenre: 'dub',
  })
  expect(client.getQueryData(dailyStatsKey)).toEqual({ dailyBangers: 8, dailyRatings: 9 })
  expect(ids()).toEqual(['3', '2', '1'])
  expect([dailyStatsKey, ratingsQuery.queryKey].map(isStale)).toEqual([false, false])
  const others = [statsKey, bangersKey, [listAchievements.path], [listAchievementProgress.path]]
  expect(others.map(isStale)).toEqual([true, true, true, true])
})

test('library-8: a song that is rated again moves to the head of the list', () => {
  const { applyRating, isStale, ids } = createRatedCache()
  applyRating('1', makeResponse(2))
  expect(ids()).toEqual(['1', '2'])
  expect(isStale(ratingsQuery.queryKey)).toBe(false)
})

test('library-8: what is not loaded stays so', () => {
  const client = new QueryClient()
  applyRatingToCache(client, { ...makeBust('1'), response: makeResponse(1) })
  expect(client.getQueryCache().getAll()).toEqual([])
})

test('library-8: when another tab has rated, too, the list is stale', () => {
  const { applyRating, isStale } = createRatedCache()
  applyRating('3', makeResponse(4))
  expect(isStale(ratingsQuery.queryKey)).toBe(true)
})

test('library-8: a late answer, and one without totals, make everything stale', () => {
  const { client, applyRating, isStale, ids } = createRatedCache()
  const sentFirst = performance.now()
  applyRating('4', makeResponse(4))
  applyRating('3', makeResponse(3), 'banger', sentFirst)
  expect(client.getQueryData(statsKey)).toMatchObject({ totalRatings: 4 })
  expect([statsKey, dailyStatsKey, ratingsQuery.queryKey].map(isStale)).toEqual([true, true, true])
  const { totals: _, ...old } = makeResponse(5)
  applyRating('5', old as RateResponse)
  expect(ids()).toEqual(['4', '2', '1'])
})

test("library-8: a server's clock that is set back makes nothing stale, nor does a repeated answer", () => {
  const { applyRating, isStale, ids } = createRatedCache()
  applyRating('3', makeResponse(3))
  const ratedAt = '2026-01-01T00:00:00.000000Z'
  applyRating('4', makeResponse(4, { ratedAt }))
  applyRating('4', makeResponse(4, { ratedAt }))
  expect(ids()).toEqual(['4', '3', '2', '1'])
  expect([dailyStatsKey, ratingsQuery.queryKey].map(isStale)).toEqual([false, false])
})

test.each(['on screen', 'loaded for later'])(
  'library-8: a rating whose answer comes while the library loads is in it (%s)',
  async (where) => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
    let stored: CachedRatings['ratings'] = []
    const answers: (() => void)[] = []
    const list = new QueryObserver<CachedRatings>(client, {
      queryKey: ratingsQuery.queryKey,
      queryFn: async () => {
        const ratings = stored
        await new Promise<void>((resolve) => answers.push(resolve))
        return { ratings, isComplete: true }
      },
    })
    const open = () => list.subscribe(() => {})
    if (where === 'on screen') open()
    else void client.prefetchQuery(list.options)

    stored = [makeRating('1')]
    applyRatingToCache(client, { ...makeBust('1'), response: makeResponse(1) })
    answers[0]?.()
    await vi.waitFor(() => expect(client.getQueryData(ratingsQuery.queryKey)).toBeDefined())
    open()
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[1]?.()
    await vi.waitFor(() => expect(list.getCurrentResult().data?.ratings).toEqual(stored))
    client.clear()
  },
)

test('library-8: a response that is under way is not mixed with the answer', async () => {
  const { client, applyRating, isStale } = createRatedCache()
  const loading = client.fetchQuery({ queryKey: statsKey, queryFn: () => new Promise(() => {}) })
  applyRating('3', makeResponse(3))
  expect(client.getQueryData(statsKey)).toMatchObject({ totalRatings: 2 })
  expect(isStale(statsKey)).toBe(true)
  void loading.catch(() => {})
})

test('library-8: what failed to load is requested again, and the day when the answer has none', async () => {
  const client = new QueryClient()
  const failed = client.fetchQuery({
    queryKey: statsKey,
    queryFn: () => Promise.reject(new Error()),
    retry: false,
  })
  await failed.catch(() => {})
  client.setQueryData(dailyStatsKey, { dailyBangers: 1, dailyRatings: 2 })
  applyRatingToCache(client, { ...makeBust('1'), response: makeResponse(1, { today: null }) })
  expect([statsKey, dailyStatsKey].map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([
    true,
    true,
  ])
  expect(client.getQueryData(dailyStatsKey)).toEqual({ dailyBangers: 1, dailyRatings: 2 })
})
