import { expect, test } from 'vitest'
import { checkAchievements } from '../../contract/achievements.ts'
import { getCommunityStats, listTrending } from '../../contract/community.ts'
import { deferSong, listMicrogenres, restartMicrogenre } from '../../contract/discovery.ts'
import { getImport } from '../../contract/imports.ts'
import { listRatings, removeRating } from '../../contract/library.ts'
import * as profiles from '../../contract/profiles.ts'
import { recount } from '../../server/community/recount.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { LISTENER_TABLES } from '../../server/db/tables/listenerTables.ts'
import { applyImport, revertImport } from '../../server/imports/applyImport.ts'
import { makeImport, makeMicrogenre, prefetchSongs, rate, rateOn, streakOf } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()

const EVERYTHING = { bangers: true, busts: true, plays: true }

const apply = (importId: string) => applyImport(app.db, importId, EVERYTHING)

function loves(listener: { id: string }, songs: readonly string[], at: string | null = null) {
  const loved = songs.map((songId) => ({ songId, at }))
  return makeImport(app.db, listener.id, loved)
}

/** Takes it back. */
async function revert(importId: string, signal?: AbortSignal) {
  await app.db`update imports set status = 'reverting' where id = ${importId}`
  return revertImport(app.db, importId, signal)
}

/** As a process that is killed after so many batches. */
function stopAfter(batches: number): AbortSignal {
  const { signal } = new AbortController()
  let checks = 0
  return Object.defineProperty(signal, 'aborted', { get: () => checks++ >= batches })
}

async function ratingsOf(listener: Visitor) {
  const { body } = await listener.call(listRatings)
  return new Map(body.map(({ id, rating, createdAt }) => [id, { rating, createdAt }]))
}

test('imports-20, imports-21, imports-22: loves become bangers with their own date, an own rating wins', async () => {
  const ada = await app.signIn()
  const [genre, other] = [await makeMicrogenre(app.db, 12), await makeMicrogenre(app.db, 2)]
  const [own = '', dated = '', undated = '', bust = '', young = '', doubtful = '', same = '', ...rest] =
    genre.songs
  await rate(ada, genre.id, own, 'bust')
  const before = (await ada.call(getCommunityStats)).body
  const importId = await makeImport(app.db, ada.id, [
    { songId: own },
    { songId: dated, at: '2015-03-04T05:06:07Z' },
    // The same song by another name.
    { songId: dated, verdict: false, at: '2016-01-01T00:00:00Z' },
    { songId: undated },
    { songId: bust, verdict: false },
    { songId: young, at: new Date().toISOString() },
    { songId: doubtful, heap: 'doubtful' },
    { songId: same, heap: 'doubtful' },
    ...rest.map((songId) => ({ songId, verdict: null, plays: 4 })),
    ...other.songs.map((songId) => ({ songId })),
  ])
  await app.db`update import_songs set is_same = true where import_id = ${importId} and song_id = ${same}`

  expect(await apply(importId)).toBe(true)
  expect(await apply(importId)).toBe(false)
  const ratings = await ratingsOf(ada)
  const bangers = [dated, undated, young, same, ...other.songs].map((id) => [id, 'banger'])
  expect([...ratings].map(([id, { rating }]) => [id, rating]).sort()).toEqual(
    [[own, 'bust'], [bust, 'bust'], ...bangers].sort(),
  )
  expect(ratings.get(dated)?.createdAt).toBe('2015-03-04T05:06:07.000Z')
  for (const id of [undated, young, bust])
    expect(Date.parse(ratings.get(id)?.createdAt ?? '')).toBeLessThan(Date.now() - 47 * 3_600_000)
  expect((await ada.call(profiles.getMyStats)).body).toMatchObject({ totalRatings: 8, totalBangers: 6 })
  expect((await ada.call(profiles.getDailyStats, { query: {} })).body).toMatchObject({ dailyRatings: 1 })
  expect(await streakOf(app.db, ada.id)).toBe(1)

  await expectRecount(app.db)
  expect(Object.values(await recount(app.db))).toEqual(Array(6).fill(0))
  const { totalRatings, totalBangers, activeUsers } = (await ada.call(getCommunityStats)).body
  const after = [before.totalRatings + 8, before.totalBangers + 6, before.activeUsers + 1]
  expect([totalRatings, totalBangers, activeUsers]).toEqual(after)
  const totals = await app.db`
    select ratings, bangers, heard_ratings, recent_bangers from song_totals where song_id = ${undated}`
  expect(totals).toEqual([{ ratings: 1, bangers: 1, heardRatings: 0, recentBangers: 0 }])
})

test('imports-22: an imported love of yesterday makes nobody active, and no song trending', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 2)
  const [loved = '', banged = ''] = genre.songs
  await rate(bob, genre.id, banged)
  await apply(await loves(ada, [loved], new Date(Date.now() - 1e8).toISOString()))
  await rollUp(app.db)

  const trending = (await ada.call(listTrending)).body.map(({ id }) => id)
  expect(trending.indexOf(banged)).toBeLessThan(trending.indexOf(loved))
  expect(await app.db`select from listener_last_days where user_id = ${ada.id}`).toEqual([])
  expect((await ada.call(profiles.getAgreement, { query: {} })).body).toEqual([])
  await ada.call(profiles.deleteAccount, { body: { confirmation: ada.email } })
  await expectRecount(app.db)
})

test('imports-23: imported songs come only after a restart; a rating replaces the love, and its undo restores it', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 30)
  const ahead = (await prefetchSongs(ada, genre.id)).map(({ id }) => id)
  const [shown = '', next = '', deferred = '', removed = '', later = ''] = ahead
  await ada.call(deferSong, { body: { microgenreId: genre.id, songId: deferred, again: false } })
  const loved = [shown, next, deferred, removed, later]
  await apply(await loves(ada, loved, '2020-01-01'))

  const coming = (await prefetchSongs(ada, genre.id)).map(({ id }) => id)
  expect(coming).toHaveLength(5)
  for (const id of loved) expect(coming).not.toContain(id)
  const left = async () =>
    (await ada.call(listMicrogenres)).body.find(({ id }) => id === genre.id)?.unratedCount
  expect(await left()).toBe(25)

  const data = JSON.parse((await ada.raw(profiles.exportData.path)).text) as Record<string, unknown>
  expect(data.notNow).toMatchObject([{ letGoAt: null }])

  // It was on screen.
  const { body } = await rate(ada, genre.id, shown, 'bust')
  expect(body).toMatchObject({ totals: { totalRatings: 5, totalBangers: 4 }, isFirst: false, listeners: 1 })
  expect(await streakOf(app.db, ada.id)).toBe(1)
  await ada.call(removeRating, { params: { songId: shown }, query: { undo: 'true' } })
  expect((await ratingsOf(ada)).get(shown)).toEqual({
    rating: 'banger',
    createdAt: '2020-01-01T00:00:00.000Z',
  })
  expect(await streakOf(app.db, ada.id)).toBe(0)
  expect(await left()).toBe(25)

  await ada.call(removeRating, { params: { songId: removed } })
  await rate(ada, genre.id, later, 'bust')
  await ada.call(removeRating, { params: { songId: later } })
  expect(await left()).toBe(27)
  const again = (await prefetchSongs(ada, genre.id)).map(({ id }) => id)
  expect(again.slice(0, 2)).toEqual([removed, later])
  await expectRecount(app.db)

  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  expect(await left()).toBe(30)
  await rate(ada, genre.id, next, 'bust')
  await ada.call(removeRating, { params: { songId: next }, query: { undo: 'true' } })
  expect((await ratingsOf(ada)).get(next)?.rating).toBe('banger')
  await expectRecount(app.db)
})

test('imports-25: what one plays elsewhere comes first among the microgenres, until one has begun it', async () => {
  const ada = await app.signIn()
  const [little, much] = [await makeMicrogenre(app.db, 3), await makeMicrogenre(app.db, 3)]
  const first = async () => {
    const { body } = await ada.call(listMicrogenres)
    return body.filter(({ reason }) => reason === 'You play it elsewhere').map(({ id }) => id)
  }
  const importId = await makeImport(app.db, ada.id, [
    { songId: little.songs[0] ?? '' },
    { songId: much.songs[0] ?? '', verdict: null, plays: 9 },
  ])
  await apply(importId)
  expect((await first()).sort()).toEqual([little.id, much.id].sort())
  await rateOn(ada, much.id, { most: 1 })
  expect(await first()).toEqual([little.id])
  await revert(importId)
  expect(await first()).toEqual([])
})

test('imports-26: achievements that an import reaches are announced already, and go with it unless ratings reach them', async () => {
  const ada = await app.signIn()
  const [genre, other] = [await makeMicrogenre(app.db, 60), await makeMicrogenre(app.db, 20)]
  const importId = await loves(ada, genre.songs)
  await apply(importId)

  const earned = async () =>
    (await app.db`select type from achievements where user_id = ${ada.id} order by 1`).map(({ type }) => type)
  const reached = ['critic', 'first_banger', 'microgenre_master']
  expect(await earned()).toEqual(reached)
  const { body } = await ada.call(getImport, { params: { id: importId } })
  expect(body.achievements.map(({ type }) => type).sort()).toEqual(reached)
  expect((await ada.call(checkAchievements)).body).toEqual([])
  await rateOn(ada, other.id, { most: 1 })
  await revert(importId)
  expect(await earned()).toEqual(['first_banger'])
})

/** All rows of a listener and all totals, but for totals of nothing. */
async function readEverything(listener: string) {
  await rollUp(app.db)
  const rows: object[][] = []
  for (const [table, { isDistributed }] of Object.entries(LISTENER_TABLES))
    if (isDistributed)
      rows.push(
        await app.db`select to_jsonb(t) from ${app.db(table)} t where user_id = ${listener} order by 1`,
      )
  const totals = await app.db`
    select song_id, ratings, bangers, heard_ratings, recent_bangers, nullif(last_banger_at, '-infinity') as last
    from song_totals where ratings > 0 order by 1`
  return [
    ...rows,
    totals,
    await app.db`select * from song_days where ratings > 0 order by 1, 2`,
    await app.db`select * from microgenre_totals where ratings > 0 order by 1`,
    await app.db`select * from community_totals`,
  ].map((part) => [...part])
}

test('imports-27, imports-28: an import that was killed goes on, and taking it back leaves all tables as before', async () => {
  const ada = await app.signIn()
  const [genre, other] = [await makeMicrogenre(app.db, 320), await makeMicrogenre(app.db, 200)]
  const songs = [...genre.songs, ...other.songs]
  await rateOn(ada, genre.id, { most: 3, rating: 'bust' })
  const [, deferred = '', letGo = ''] = (await prefetchSongs(ada, genre.id)).map(({ id }) => id)
  for (const again of [false, true])
    await ada.call(deferSong, { body: { microgenreId: genre.id, songId: letGo, again } })
  await ada.call(deferSong, { body: { microgenreId: genre.id, songId: deferred, again: false } })
  await prefetchSongs(ada, genre.id)
  const before = await readEverything(ada.id)
  const imported = songs.map((songId, n) => ({
    ...{ songId, verdict: n % 3 > 0, plays: n % 2, at: n % 5 ? '2019-06-01' : null },
  }))
  const importId = await makeImport(app.db, ada.id, imported)

  expect(await applyImport(app.db, importId, EVERYTHING, stopAfter(1))).toBe(false)
  expect((await ratingsOf(ada)).size).toBeLessThan(300)
  expect(await apply(importId)).toBe(true)
  expect((await ratingsOf(ada)).size).toBe(songs.length)
  await expectRecount(app.db)

  expect(await revert(importId, stopAfter(1))).toBe(false)
  expect(await revert(importId)).toBe(true)
  expect(await readEverything(ada.id)).toEqual(before)
  await expectRecount(app.db)
})

test('imports-27: taking back spares what was said since, and brings every other song back into the pass', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 60)
  await prefetchSongs(ada, genre.id)
  const one = await loves(ada, genre.songs.slice(0, 40))
  const two = await loves(ada, genre.songs.slice(30, 50))
  await apply(one)
  await apply(two)
  await rate(ada, genre.id, genre.songs[0] ?? '', 'bust')
  await rateOn(ada, genre.id, { most: 5 })
  await ada.call(removeRating, { params: { songId: genre.songs[35] ?? '' } })

  await revert(one)
  const { size } = await ratingsOf(ada)
  expect(size).toBe(1 + 5 + 10)
  await ada.call(removeRating, { params: { songId: genre.songs[0] ?? '' }, query: { undo: 'true' } })
  expect((await ratingsOf(ada)).size).toBe(size - 1)
  await expectRecount(app.db)
  await revert(two)
  expect(await rateOn(ada, genre.id)).toHaveLength(55)
  await expectRecount(app.db)
})
