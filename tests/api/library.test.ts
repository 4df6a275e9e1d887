import { afterEach, expect, test } from 'vitest'
import { listMicrogenres, restartMicrogenre } from '../../contract/discovery.ts'
import { listRatingChanges, listRatings, type RatedSong, removeRating } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { sweepUndoneRatings } from '../../server/library/ratings.ts'
import { makeMicrogenre, nextSong, rate, rateOn, streakOf, writeRatings } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
const other = setUpService(() => app.another())
afterEach(() => expectRecount(app.db))

/** Seconds. */
const SECONDS_PER_DAY = 24 * 60 * 60

test('the library has all ratings, newest first, each with its song', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [one = '', two = '', three = ''] = genre.songs
  await rate(ada, genre.id, two, 'bust')
  await rate(ada, genre.id, three, 'banger')
  await rate(ada, genre.id, one, 'bust')

  const { status, body } = await ada.call(listRatings)
  expect(status).toBe(200)
  expect(body.map(({ id, rating }) => [id, rating])).toEqual([
    [one, 'bust'],
    [three, 'banger'],
    [two, 'bust'],
  ])
  expect(body[1]).toEqual({
    id: three,
    rating: 'banger',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    song: expect.objectContaining({
      id: three,
      title: 'Song 2',
      microgenre: genre.name,
      microgenreId: genre.id,
    }),
  })
})

test('type filters by rating', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  await rate(ada, genre.id, genre.songs[0] ?? '', 'bust')
  await rate(ada, genre.id, genre.songs[1] ?? '', 'banger')

  expect((await ada.call(listRatings, { query: { type: 'banger' } })).body.map(({ id }) => id)).toEqual([
    genre.songs[1],
  ])
  expect((await ada.call(listRatings, { query: { type: 'bust' } })).body.map(({ id }) => id)).toEqual([
    genre.songs[0],
  ])
})

test('a range returns the newest ratings with the total', async () => {
  const genre = await makeMicrogenre(app.db, 5)
  const [one = '', two = '', three = '', four = '', five = ''] = genre.songs
  for (const song of [one, three, five]) await rate(ada, genre.id, song, 'banger')
  for (const song of [two, four]) await rate(ada, genre.id, song, 'bust')
  const first = async (type: string, range: string) => {
    const answer = await ada.raw(`${listRatings.path}${type}`, { headers: { range } })
    const songs = (answer.body as RatedSong[]).map(({ id }) => id)
    return { status: answer.status, range: answer.headers['content-range'], songs }
  }

  expect(await first('', 'items=0-1')).toEqual({ status: 206, range: 'items 0-1/5', songs: [four, two] })
  expect(await first('?type=banger', 'items=0-1')).toEqual({
    status: 206,
    range: 'items 0-1/3',
    songs: [five, three],
  })
  expect(await first('?type=bust', 'items=0-0')).toEqual({ status: 206, range: 'items 0-0/2', songs: [four] })
  // A list no longer than the range is returned complete, and so is one for an unknown range unit.
  expect(await first('?type=bust', 'items=0-1')).toEqual({
    status: 200,
    range: undefined,
    songs: [four, two],
  })
  expect(await first('?type=bust', 'bytes=0-1')).toEqual({
    status: 200,
    range: undefined,
    songs: [four, two],
  })

  const { body } = await ada.raw(`${listRatings.path}?type=banger`, { headers: { range: 'items=0-1' } })
  expect(body).toEqual((await ada.call(listRatings, { query: { type: 'banger' } })).body.slice(0, 2))
})

test('library-19: each page links the next, also among ratings of the same time and while others are added and removed', async () => {
  const genre = await makeMicrogenre(app.db, 9)
  const [bust = '', ...songs] = genre.songs
  await rate(ada, genre.id, bust, 'bust')
  for (const song of songs.slice(0, 7)) await rate(ada, genre.id, song, 'banger')
  await app.db`
    update ratings set rated_at = (select min(rated_at) from ratings where user_id = ${ada.id})
    where user_id = ${ada.id}`
  const all = (await ada.call(listRatings, { query: { type: 'banger' } })).body.map(({ id }) => id)

  const first = await readPage(ada, '?type=banger&limit=3')
  await rate(ada, genre.id, songs[7] ?? '', 'banger')
  await ada.call(removeRating, { params: { songId: all[2] ?? '' } })
  const second = await readPage(ada, first.next)
  const third = await readPage(ada, second.next)

  expect([first, second, third].map(({ songs }) => songs)).toEqual([
    all.slice(0, 3),
    all.slice(3, 6),
    all.slice(6),
  ])
  expect(third.next).toBeUndefined()
  expect(await readPage(ada, '?limit=8')).toMatchObject({ next: undefined, songs: { length: 8 } })
})

/** The songs of a page, and the query of the next one. */
async function readPage(listener: Visitor, query = '') {
  const { status, body, headers } = await listener.raw(`${listRatings.path}${query}`)
  expect(status).toBe(200)
  const next = /^<(\?[^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
  return { songs: (body as RatedSong[]).map(({ id }) => id), next }
}

test('library-16: a range returns any part of the list, with the total; beyond the end it is refused', async () => {
  const genre = await makeMicrogenre(app.db, 7)
  for (const [i, song] of genre.songs.entries()) await rate(ada, genre.id, song, i === 3 ? 'bust' : 'banger')
  const bangers = (await ada.call(listRatings, { query: { type: 'banger' } })).body
  const part = async (range: string) => {
    const answer = await ada.raw(`${listRatings.path}?type=banger`, { headers: { range } })
    return { status: answer.status, range: answer.headers['content-range'], body: answer.body }
  }

  expect(await part('items=2-3')).toEqual({ status: 206, range: 'items 2-3/6', body: bangers.slice(2, 4) })
  expect(await part('items=4-103')).toEqual({ status: 206, range: 'items 4-5/6', body: bangers.slice(4) })
  expect(await part('items=6-6')).toEqual({
    status: 416,
    range: undefined,
    body: { message: 'The list ends before this range.' },
  })
  expect(await part('items=3-2')).toMatchObject({ status: 200, body: bangers })
})

test('library-17: a page asks what has changed in the list since its newest rating', async () => {
  const genre = await makeMicrogenre(app.db, 5)
  const [one = '', two = '', three = '', four = ''] = genre.songs
  for (const song of [one, two, three]) await rate(ada, genre.id, song, 'banger')
  const since = (await ada.call(listRatings)).body[0]?.createdAt ?? ''
  const changesOf = async (listener = ada) =>
    (await listener.call(listRatingChanges, { query: { since } })).body
  const short = async () => {
    const changes = await changesOf()
    return changes && { ...changes, ratings: changes.ratings.map(({ id, rating }) => [id, rating]) }
  }
  expect(await short()).toEqual({
    ratings: [[three, 'banger']],
    removed: [],
    totalBangers: 3,
    totalRatings: 3,
  })

  await ada.call(removeRating, { params: { songId: two } })
  await rate(ada, genre.id, four, 'bust')
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await rate(ada, genre.id, one, 'bust')
  await ada.call(removeRating, { params: { songId: one }, query: { undo: 'true' } })
  expect(await short()).toEqual({
    ratings: [
      [four, 'bust'],
      [three, 'banger'],
      // Undo has restored the rating of the first pass.
      [one, 'banger'],
    ],
    removed: [two],
    totalBangers: 2,
    totalRatings: 3,
  })
  const all = (await ada.call(listRatings)).body
  expect((await changesOf())?.ratings).toEqual(all)
  expect(await changesOf(await app.signIn())).toEqual({
    ratings: [],
    removed: [],
    totalBangers: 0,
    totalRatings: 0,
  })
})

test('library-14: removing a listed rating does not remove a newer one of its song', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [song = '', other = ''] = genre.songs
  for (const each of [song, other]) await rate(ada, genre.id, each, 'banger')
  const listed = async () => (await ada.call(listRatings)).body
  const [, before] = await listed()
  const query = { createdAt: before?.createdAt ?? '' }
  const remove = async (songId: string) =>
    (await ada.call(removeRating, { params: { songId }, query })).status

  // Repeating a rating adds no row; another rating does, and so does a later pass.
  for (const rating of ['bust', 'banger'] as const) {
    await rate(ada, genre.id, song, rating)
    expect(await remove(song)).toBe(200)
    expect(await listed()).toEqual([expect.objectContaining({ id: song, rating }), expect.anything()])
  }
  query.createdAt = (await listed())[0]?.createdAt ?? ''
  await rate(ada, genre.id, song, 'banger')
  expect([await remove(song), await remove(song)]).toEqual([200, 200])
  expect((await listed()).map(({ id }) => id)).toEqual([other])
})

test('library-17: after a week or more than 500 changes the whole list is read', async () => {
  const { songs } = await makeMicrogenre(app.db, 501)
  await writeRatings(app.db, ada.id, songs)
  const changesSince = async (secondsAgo: number) => {
    const since = new Date(Date.now() - secondsAgo * 1000).toISOString()
    return (await ada.call(listRatingChanges, { query: { since } })).body
  }
  expect(await changesSince(SECONDS_PER_DAY)).toBeNull()
  await ada.call(removeRating, { params: { songId: songs[0] ?? '' } })
  expect(await changesSince(60)).toMatchObject({ removed: [songs[0]], totalRatings: 500 })
  expect(await changesSince(8 * SECONDS_PER_DAY)).toBeNull()

  await app.db`update undone_ratings set undone_at = now() - interval '9 days'`
  await sweepUndoneRatings(app.db)
  expect(await app.db`select from undone_ratings`).toEqual([])
})

test('a range of an empty library is an empty list', async () => {
  const { status, body } = await (await app.signIn()).raw(listRatings.path, {
    headers: { range: 'items=0-19' },
  })
  expect({ status, body }).toEqual({ status: 200, body: [] })
})

test('a rating repeated in a later pass is the newest', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [first = ''] = await rateOn(ada, genre.id)
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  const before = (await ada.call(listRatings)).body.at(-1)
  await rate(ada, genre.id, first, 'banger')

  const [newest] = (await ada.call(listRatings)).body
  expect(before?.id).toBe(first)
  expect(newest?.id).toBe(first)
  expect((newest?.createdAt ?? '') > (before?.createdAt ?? '')).toBe(true)
})

test('removing a rating updates library, totals and streak, and its song comes again', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [song = '', keptSong = ''] = await rateOn(ada, genre.id, { most: 2 })
  const waiting = await nextSong(ada, genre.id)

  const { status, body } = await ada.call(removeRating, { params: { songId: song } })
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  expect((await ada.call(listRatings)).body.map(({ id }) => id)).toEqual([keptSong])
  expect((await ada.call(getMyStats)).body).toMatchObject({ totalBangers: 1, totalRatings: 1 })
  expect(await streakOf(app.db, ada.id)).toBe(1)
  expect((await ada.call(listMicrogenres)).body.find(({ id }) => id === genre.id)?.unratedCount).toBe(2)
  expect(await rateOn(ada, genre.id)).toEqual([song, waiting?.id])
})

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
  expect(await streakOf(app.db, ada.id)).toBe(1)
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
    expect(await streakOf(app.db, ada.id)).toBe(1)
  }
})

test('an undo sent twice in the first pass removes one rating and one step of the streak', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [keptSong = '', undoneSong = ''] = genre.songs
  await rate(ada, genre.id, keptSong, 'banger')
  const { ratedAt } = (await rate(ada, genre.id, undoneSong, 'banger')).body
  const statuses = [await undo(ada, undoneSong, ratedAt), await undo(ada, undoneSong, ratedAt)]

  expect(statuses).toEqual([200, 200])
  expect((await libraryOf(ada)).map(({ id }) => id)).toEqual([keptSong])
  expect(await streakOf(app.db, ada.id)).toBe(1)
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

async function undo(listener: Visitor, songId: string, ratedAt?: string): Promise<number> {
  return (await listener.call(removeRating, { params: { songId }, query: { undo: 'true', ratedAt } })).status
}

async function libraryOf(listener: Visitor) {
  return (await listener.call(listRatings)).body
}
