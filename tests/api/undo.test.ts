import { afterEach, beforeAll, expect, test } from 'vitest'
import { restartMicrogenre } from '../../contract/discovery.ts'
import { listRatings, removeRating } from '../../contract/library.ts'
import { makeMicrogenre, rate } from '../factories.ts'
import { expectRecount } from '../harness/recount.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()
let other: TestApp
beforeAll(async () => {
  other = await app.another()
})
afterEach(() => expectRecount(app.db))

/** A listener who rated a song in the first pass, and again in the second. */
async function rateTwice() {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 2)
  const [songId = ''] = genre.songs
  await rate(ada, genre.id, songId, 'banger')
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  const library = await libraryOf(ada)
  const { ratedAt } = (await rate(ada, genre.id, songId, 'bust')).body
  return { ada, genre, songId, ratedAt, library }
}

test('discover-18: an undo sent twice after a restart keeps the banger of the earlier pass', async () => {
  const { ada, songId, ratedAt, library } = await rateTwice()
  const statuses = [await undo(ada, songId, ratedAt), await undo(ada, songId, ratedAt)]

  expect(statuses).toEqual([200, 200])
  expect(await libraryOf(ada)).toEqual(library)
  expect(await streakOf(ada.id)).toBe(1)
})

test('an undo sent by two processes at once keeps the banger of the earlier pass', async () => {
  for (let round = 0; round < 5; round++) {
    const { ada, songId, ratedAt, library } = await rateTwice()
    const statuses = await Promise.all([
      undo(ada, songId, ratedAt),
      undo(ada.at(other.url), songId, ratedAt),
      undo(ada, songId, ratedAt),
    ])

    expect(statuses).toEqual([200, 200, 200])
    expect(await libraryOf(ada)).toEqual(library)
    expect(await streakOf(ada.id)).toBe(1)
  }
})

test('an undo sent twice in the first pass removes one rating and one step of the streak', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 2)
  const [kept = '', undone = ''] = genre.songs
  await rate(ada, genre.id, kept, 'banger')
  const { ratedAt } = (await rate(ada, genre.id, undone, 'banger')).body
  const statuses = [await undo(ada, undone, ratedAt), await undo(ada, undone, ratedAt)]

  expect(statuses).toEqual([200, 200])
  expect((await libraryOf(ada)).map(({ id }) => id)).toEqual([kept])
  expect(await streakOf(ada.id)).toBe(1)
})

test('a repeated undo does not remove a newer rating of the song', async () => {
  const { ada, genre, songId, ratedAt } = await rateTwice()
  await undo(ada, songId, ratedAt)
  const again = (await rate(ada, genre.id, songId, 'bust')).body.ratedAt
  expect(await undo(ada, songId, ratedAt)).toBe(200)
  expect((await libraryOf(ada)).map(({ rating }) => rating)).toEqual(['bust'])

  expect(await undo(ada, songId, again)).toBe(200)
  expect((await libraryOf(ada)).map(({ rating }) => rating)).toEqual(['banger'])
})

test('an undo without a time, as older pages send it, removes only a rating of the current pass', async () => {
  const { ada, songId, library } = await rateTwice()
  const statuses = [await undo(ada, songId), await undo(ada, songId)]

  expect(statuses).toEqual([200, 404])
  expect(await libraryOf(ada)).toEqual(library)
})

test('repeating a rating returns the time of the first', async () => {
  const { ada, genre, songId, ratedAt } = await rateTwice()
  expect(ratedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  expect((await rate(ada, genre.id, songId, 'bust')).body.ratedAt).toBe(ratedAt)
  expect((await rate(ada, genre.id, songId, 'banger')).body.ratedAt).not.toBe(ratedAt)
})

test('an invalid time is rejected, and nothing is undone', async () => {
  const { ada, songId } = await rateTwice()
  const path = `/api/users/me/ratings/${songId}?undo=true&ratedAt=`
  for (const given of ['', 'yesterday', '2026-01-01', '2026-01-01T00:00:00Z', "2026'--"])
    expect((await ada.raw(path + encodeURIComponent(given), { method: 'DELETE' })).status).toBe(400)
  expect((await libraryOf(ada)).map(({ rating }) => rating)).toEqual(['bust'])
})

async function undo(listener: Visitor, songId: string, ratedAt?: string): Promise<number> {
  return (await listener.call(removeRating, { params: { songId }, query: { undo: 'true', ratedAt } })).status
}

async function libraryOf(listener: Visitor) {
  return (await listener.call(listRatings)).body
}

async function streakOf(listener: string): Promise<number | undefined> {
  const [row] = await app.db<{ streak: number }[]>`
    select streak from listener_stats where user_id = ${listener}`
  return row?.streak
}
