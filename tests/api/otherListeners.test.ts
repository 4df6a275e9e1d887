import { expect, test } from 'vitest'
import { listDivided, listTrending } from '../../contract/community.ts'
import { restartMicrogenre } from '../../contract/discovery.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { removeRating } from '../../contract/library.ts'
import { getAgreement } from '../../contract/profiles.ts'
import { MIN_LISTENERS, type Rating } from '../../contract/shapes.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { makeMicrogenre, rate, writeRatings } from '../factories.ts'
import { CALLS, send } from '../harness/calls.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { makeOwnerFixture, type OwnerFixture } from '../harness/ownerFixture.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startOutside } from '../stand-ins/outside.ts'

/* Who sees the ratings of other listeners, and when. */

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env)
const ada = setUpListener(app)

/** Rates the song as that many listeners, the first `bangers` of them with a banger. */
async function rateByOthers(genre: string, song: string, listeners: number, bangers: number) {
  for (let n = 0; n < listeners; n++)
    await rate(await app.signIn(), genre, song, n < bangers ? 'banger' : 'bust')
}

test('discover-40: the response to a rating has the totals of others from five listeners, including this rating', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [song = ''] = genre.songs
  await rateByOthers(genre.id, song, MIN_LISTENERS - 2, 1)
  await rollUp(app.db)
  expect((await rate(await app.signIn(), genre.id, song)).body).toMatchObject({ listeners: 4, room: null })
  await rollUp(app.db)

  expect((await rate(ada, genre.id, song)).body.room).toEqual({ listeners: 5, bangers: 3 })
  // Repeated before and after the roll-up.
  expect((await rate(ada, genre.id, song)).body.room).toEqual({ listeners: 5, bangers: 3 })
  await rollUp(app.db)
  expect((await rate(ada, genre.id, song)).body.room).toEqual({ listeners: 5, bangers: 3 })
  // Replaces an earlier rating, before and after its roll-up.
  expect((await rate(ada, genre.id, song, 'bust')).body.room).toEqual({ listeners: 5, bangers: 2 })
  expect((await rate(ada, genre.id, song, 'banger')).body.room).toEqual({ listeners: 5, bangers: 3 })
  await ada.call(removeRating, { params: { songId: song }, query: { undo: 'true' } })
  expect((await rate(ada, genre.id, song, 'bust')).body.room).toEqual({ listeners: 5, bangers: 2 })
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  expect((await rate(ada, genre.id, song, 'bust')).body.room).toEqual({ listeners: 5, bangers: 2 })
  await expectRecount(app.db)
})

test('discover-40: below five listeners the response says how many, with this one, and not how', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [song = ''] = genre.songs
  const alone = { listeners: 1, isFirst: true, room: null }
  const bob = await app.signIn()
  expect((await rate(bob, genre.id, song)).body).toMatchObject(alone)
  // Repeated, replaced, undone, in the next pass.
  expect((await rate(bob, genre.id, song)).body).toMatchObject(alone)
  expect((await rate(bob, genre.id, song, 'bust')).body).toMatchObject(alone)
  await bob.call(removeRating, { params: { songId: song }, query: { undo: 'true' } })
  expect((await rate(bob, genre.id, song)).body).toMatchObject(alone)
  await rollUp(app.db)
  await bob.call(restartMicrogenre, { params: { id: genre.id } })
  for (const _ of ['rated', 'repeated'])
    expect((await rate(bob, genre.id, song)).body).toMatchObject({ ...alone, isFirst: false })
  await rollUp(app.db)
  expect((await rate(ada, genre.id, song)).body).toMatchObject({ listeners: 2, isFirst: true, room: null })
})

test('discover-40: a rating that the roll-up moves meanwhile counts once', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const [song = ''] = genre.songs
  await rateByOthers(genre.id, song, 5, 2)
  await rollUp(app.db)
  const ratings: Rating[] = ['banger', 'bust']
  for (let round = 0; round < 100; round++) {
    const rating = ratings[round % 2] ?? 'bust'
    const [{ body }] = await Promise.all([rate(ada, genre.id, song, rating), rollUp(app.db)])
    expect(body.room).toEqual({ listeners: 6, bangers: rating === 'banger' ? 3 : 2 })
  }
})

test('discover-40: a refused rating reveals nothing of the song', async () => {
  const [genre, other] = [await makeMicrogenre(app.db, 1), await makeMicrogenre(app.db, 1)]
  await rateByOthers(genre.id, genre.songs[0] ?? '', 5, 5)
  const { status, body } = await rate(await app.signIn(), other.id, genre.songs[0] ?? '')

  expect({ status, body }).toEqual({ status: 400, body: { message: expect.any(String) } })
})

const endpoints = await readContract()
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Calls that show totals of songs that the caller may not have rated (community-4). */
const SHOW_ALL = ['GET /api/community/trending']
/** The call after which the caller has rated a song. */
const RATE_CALL = 'POST /api/batch/rate-and-advance'

/** Totals unlike all other figures, so that a text search finds them, also with one more rating. */
const totalsOf = (place: number) => ({ ratings: 4_710_100 + 10 * place, bangers: 2_355_200 + 10 * place })
const figuresIn = (text: string, places: number[]) =>
  places.filter((place) =>
    Object.values(totalsOf(place)).some((figure) => text.includes(String(figure).slice(0, -1))),
  )

/** A listener who rated one song in an earlier pass, and none in this one. Everybody is divided about each song. */
async function makeUnratedFixture(): Promise<OwnerFixture> {
  const fixture = await makeOwnerFixture(app)
  await fixture.owner.call(restartMicrogenre, { params: { id: fixture.genre.id } })
  await rollUp(app.db)
  await app.db`delete from song_totals`
  for (const [place, song] of fixture.genre.songs.entries()) {
    const { ratings, bangers } = totalsOf(place)
    await app.db`insert into song_totals (song_id, ratings, bangers) values (${song}, ${ratings}, ${bangers})`
  }
  return fixture
}

test('community-17: no call reveals the totals of a song before the caller has rated it in this pass', async () => {
  let fixture = await makeUnratedFixture()
  await warmUpPictures(fixture.owner)
  for (const endpoint of endpoints) {
    const name = nameOf(endpoint)
    const call = CALLS[name] ?? {}
    const input = (await call.input?.(fixture)) ?? {}
    const { status, text } = await send(fixture.owner, endpoint, input)
    expect([name, status]).toEqual([name, call.ownerStatus ?? 200])
    const placesShown = SHOW_ALL.includes(name) ? [0, 1, 2] : name === RATE_CALL ? [1] : []
    expect([name, figuresIn(text, [0, 1, 2])]).toEqual([name, placesShown])
    if (call.consumes || name === RATE_CALL || /ratings|progress/.test(name))
      fixture = await makeUnratedFixture()
  }
}, 600_000)

test('community-18: the most divided songs come first, with figures for those who rated them in this pass', async () => {
  await app.db`delete from song_totals`
  const genre = await makeMicrogenre(app.db, 5)
  const [evenlyDivided = '', fewRatings = '', agreed = '', nearlyDivided = '', retired = ''] = genre.songs
  await app.db`update songs set retired_at = now() where id = ${retired}`
  await app.db`
    insert into song_totals (song_id, ratings, bangers) values
      (${evenlyDivided}, 10, 5), (${fewRatings}, 4, 2), (${agreed}, 20, 20), (${nearlyDivided}, 49, 24), (${retired}, 8, 4)`
  const readDivided = async () => (await ada.call(listDivided)).body.map(({ id, room }) => ({ id, room }))
  const unrated = [evenlyDivided, nearlyDivided, agreed].map((id) => ({ id, room: null }))
  expect(await readDivided()).toEqual(unrated)

  await rate(ada, genre.id, nearlyDivided, 'bust')
  await rollUp(app.db)
  expect(await readDivided()).toEqual([
    { id: evenlyDivided, room: null },
    { id: nearlyDivided, room: { listeners: 50, bangers: 24 } },
    { id: agreed, room: null },
  ])
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  expect((await readDivided()).map(({ room }) => room)).toEqual([null, null, null])
  expect((await ada.call(listDivided)).body[0]).toMatchObject({
    id: evenlyDivided,
    title: 'Song 0',
    artist: 'Artist 0',
    albumArt: null,
    microgenre: genre.name,
    color: '#778899',
    room: null,
  })
  await app.db`delete from song_totals`
  expect((await ada.call(listTrending)).body).toEqual([])
})

test('people-30: agreement with the majority is counted by month', async () => {
  await app.db`delete from song_totals`
  const { songs } = await makeMicrogenre(app.db, 22)
  await writeRatings(app.db, ada.id, songs, (place) => place < 15)
  const months = (await ada.call(getAgreement, { query: { tz: 'UTC' } })).body
  expect(months).toEqual([])

  // Songs 0-5 this month: the majority agrees on four, one is a tie, one has four raters. Songs 6-11 two months ago:
  // it disagrees on all but the first. Songs 12-15 are too few; 16-21 too long ago.
  const at = (from: number, to: number, ago: string) => app.db`
    update ratings set rated_at = date_trunc('month', now(), 'UTC') - ${ago}::interval + interval '1 minute'
    where user_id = ${ada.id} and song_id = any(${songs.slice(from, to)}::bigint[])`
  await at(0, 7, '0')
  await at(7, 12, '2 months')
  await at(12, 16, '3 months')
  await at(16, 22, '12 months')
  const totals = songs.map((_, place) =>
    place === 5 ? [10, 5] : place === 6 ? [4, 4] : place < 4 || place === 7 || place > 11 ? [9, 5] : [9, 4],
  )
  for (const [place, song] of songs.entries()) {
    const [ratings = 0, bangers = 0] = totals[place] ?? []
    await app.db`insert into song_totals (song_id, ratings, bangers) values (${song}, ${ratings}, ${bangers})`
  }
  const monthsAgo = (ago: number) => {
    const now = new Date()
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7)
  }

  expect((await ada.call(getAgreement, { query: { tz: 'UTC' } })).body).toEqual([
    { month: monthsAgo(2), songs: 5, agreed: 1 },
    { month: monthsAgo(0), songs: 5, agreed: 4 },
  ])
  // A minute after midnight UTC it is still the month before in New York; an unknown zone is UTC.
  const inNewYork = (await ada.call(getAgreement, { query: { tz: 'America/New_York' } })).body
  expect(inNewYork.map(({ month }) => month)).toEqual([monthsAgo(3), monthsAgo(1)])
  expect((await ada.call(getAgreement, { query: { tz: 'Nowhere' } })).body).toHaveLength(2)
  expect((await (await app.signIn()).call(getAgreement)).body).toEqual([])
  await app.db`delete from song_totals`
})
