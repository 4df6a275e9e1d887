import { expect, test } from 'vitest'
import { getNextSong, listMicrogenres, rateAndAdvance, restartMicrogenre } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { suggestMicrogenres } from '../../contract/nextMicrogenres.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Song } from '../../contract/shapes.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { loadCatalogue } from '../../server/discovery/loadCatalogue.ts'
import { findMicrogenre, makeMicrogenre, nextSong, rate, rateOn } from '../factories.ts'
import { expectRecount } from '../harness/recount.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { testCatalogue, testSong } from '../harness/testCatalogue.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()

test('the list has every microgenre by name, with its number of unrated songs', async () => {
  const ada = await app.signIn()
  const zydeco = await findMicrogenre(app.db, 'zydeco')
  await rateOn(ada, zydeco.id, { most: 3 })
  await rollUp(app.db)

  const { status, body } = await ada.call(listMicrogenres)
  expect(status).toBe(200)
  const names = body.map(({ name }) => name)
  expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  const listed = body.find(({ id }) => id === zydeco.id)
  expect(listed).toEqual({
    id: zydeco.id,
    name: 'Zydeco',
    family: 'Roots',
    mood: ['rhythmic'],
    description: 'What Zydeco sounds like. Where it comes from.',
    color: '#35b5b4',
    bangerCount: 3,
    songCount: 12,
    unratedCount: 9,
    // It may be among the four that are recommended.
    reason: listed?.reason,
  })
})

test("another listener's ratings do not change my number of unrated songs", async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 3)
  await rateOn(ada, genre.id)

  const { body } = await bob.call(listMicrogenres)
  expect(body.find(({ id }) => id === genre.id)?.unratedCount).toBe(3)
})

test('the next song has all fields of a song', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dub-techno')
  const { status, body, headers } = await ada.call(getNextSong, {
    params: { id: genre.id },
    query: { _t: String(Date.now()) },
  })
  const song = body as Song

  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(headers.etag).toBeUndefined()
  expect(song).toEqual({
    id: expect.stringMatching(/^\d+$/),
    title: expect.stringMatching(/^Dub Techno 00\d$/),
    artist: expect.stringMatching(/^Artist 00\d$/),
    year: expect.any(Number),
    albumArt: song.youtubeId && `https://i.ytimg.com/vi/${song.youtubeId}/hqdefault.jpg`,
    youtubeId: song.youtubeId && expect.stringMatching(/^[\w-]{11}$/),
    youtubeBlocked: false,
    spotifyId: null,
    deezerId: null,
    deezerTrackId: null,
    duration: expect.closeTo(180, 0),
    microgenre: 'Dub Techno',
    microgenreId: genre.id,
    color: '#35b5b0',
    putOff: false,
    reason: 'shuffle',
  })
})

test('calls-7: absent values are null, not missing fields', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)

  expect(await nextSong(ada, genre.id)).toEqual({
    id: genre.songs[0],
    title: 'Song 0',
    artist: 'Artist 0',
    year: null,
    albumArt: null,
    youtubeId: null,
    youtubeBlocked: false,
    spotifyId: null,
    deezerId: null,
    deezerTrackId: null,
    duration: null,
    microgenre: genre.name,
    microgenreId: genre.id,
    color: '#778899',
    putOff: false,
    reason: 'shuffle',
  })
})

test('the next song stays the same until it is rated', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 20)
  const first = await nextSong(ada, genre.id)

  for (let i = 0; i < 5; i++) expect(await nextSong(ada, genre.id)).toEqual(first)
  const { body } = await rate(ada, genre.id, first?.id ?? '')
  expect(body.nextSong?.id).not.toBe(first?.id)
  expect(await nextSong(ada, genre.id)).toEqual(body.nextSong)
})

test('discover-20: prefetch returns up to five songs in order, the current one first', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 7)
  const current = await nextSong(ada, genre.id)

  const ahead = await prefetch(ada, genre.id)
  expect(ahead.prefetch).toBe(true)
  expect(ahead.songs).toHaveLength(5)
  expect(ahead.songs[0]).toEqual(current)
  const promised = ahead.songs.map(({ id }) => id)
  expect((await rateOn(ada, genre.id, { most: 5 })).slice(0, 5)).toEqual(promised)
  expect((await prefetch(ada, genre.id)).songs).toHaveLength(2)
  await rateOn(ada, genre.id)
  expect(await prefetch(ada, genre.id)).toEqual({ prefetch: true, songs: [] })
})

test('prefetch skips songs that were rated ahead of their turn', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 6)
  const [, second, third] = (await prefetch(ada, genre.id)).songs
  await rate(ada, genre.id, second?.id ?? '')

  const songs = (await prefetch(ada, genre.id)).songs.map(({ id }) => id)
  expect(songs).toHaveLength(5)
  expect(songs).not.toContain(second?.id)
  expect(songs[1]).toBe(third?.id)
  expect(new Set([second?.id, ...(await rateOn(ada, genre.id))]).size).toBe(6)
})

test('a pass returns every song once, then completed, then 404', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'bossa-nova')
  const heard: string[] = []
  const completed: boolean[] = []
  for (let song = await nextSong(ada, genre.id); song; ) {
    heard.push(song.id)
    const { status, body } = await rate(ada, genre.id, song.id, heard.length % 2 ? 'banger' : 'bust')
    expect(status).toBe(200)
    completed.push(body.completed)
    song = body.nextSong
  }

  expect([...heard].sort()).toEqual([...genre.songs].sort())
  expect(completed).toEqual([...Array(7).fill(false), true])
  const after = await ada.call(getNextSong, { params: { id: genre.id } })
  expect({ status: after.status, body: after.body }).toEqual({
    status: 404,
    body: { message: 'There are no more songs in this microgenre.' },
  })
})

test('two listeners hear a microgenre in different orders', async () => {
  const genre = await makeMicrogenre(app.db, 40)
  const [ada, bob] = [await app.signIn(), await app.signIn()]

  expect(await rateOn(ada, genre.id)).not.toEqual(await rateOn(bob, genre.id))
})

test('a microgenre without songs answers 404, and prefetch is empty', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 0)

  expect((await ada.call(getNextSong, { params: { id: genre.id } })).status).toBe(404)
  expect(await prefetch(ada, genre.id)).toEqual({ prefetch: true, songs: [] })
})

test.each(['999999999', 'abc', '0', '-1', '1.5', '9'.repeat(19), '9'.repeat(100), '%00', "1'--"])(
  'the microgenre %s does not exist',
  async (id) => {
    const ada = await app.signIn('curious@example.test')
    const path = `/api/microgenres/${id}`

    expect((await ada.raw(`${path}/next-song`)).status).toBe(404)
    expect((await ada.raw(`${path}/next-song?prefetch=true`)).status).toBe(404)
    expect((await ada.raw(`${path}/progress`, { method: 'DELETE' })).status).toBe(404)
  },
)

test.each(['1', 'yes', '', 'true&prefetch=true'])('prefetch=%s is rejected', async (value) => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)

  expect(await ada.raw(`/api/microgenres/${genre.id}/next-song?prefetch=${value}`)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('prefetch') },
  })
})

test('repeating a rating changes nothing and returns the same response', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 4)
  const song = (await nextSong(ada, genre.id))?.id ?? ''
  const first = await rate(ada, genre.id, song)
  const before = await ada.call(listRatings)
  const again = await rate(ada, genre.id, song)

  expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
  expect((await ada.call(listRatings)).body).toEqual(before.body)
  expect((await ada.call(getMyStats)).body).toMatchObject({ totalBangers: 1, totalRatings: 1 })
  expect(await streakOf(ada.id)).toBe(1)
})

test('discover-14: another rating of the same song replaces the first, and does not add to the streak', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 4)
  const song = (await nextSong(ada, genre.id))?.id ?? ''
  await rate(ada, genre.id, song, 'banger')
  const { status } = await rate(ada, genre.id, song, 'bust')

  expect(status).toBe(200)
  expect((await ada.call(listRatings)).body).toMatchObject([{ id: song, rating: 'bust' }])
  expect((await ada.call(getMyStats)).body).toEqual({
    totalBangers: 0,
    totalRatings: 1,
    favoriteMicrogenre: null,
  })
  expect(await streakOf(ada.id)).toBe(1)
  await expectRecount(app.db)
})

const REFUSED: [string, (song: string, genre: string) => unknown, number][] = [
  ['no body', () => undefined, 400],
  ['an empty one', () => ({}), 400],
  ['null', () => null, 400],
  ['a list', () => [], 400],
  ['a word', () => 'banger', 400],
  ['an unknown rating', (songId, microgenreId) => ({ songId, microgenreId, rating: 'meh' }), 400],
  ['a rating in capitals', (songId, microgenreId) => ({ songId, microgenreId, rating: 'BANGER' }), 400],
  ['a rating of another type', (songId, microgenreId) => ({ songId, microgenreId, rating: true }), 400],
  ['no rating', (songId, microgenreId) => ({ songId, microgenreId }), 400],
  ['no song', (_, microgenreId) => ({ microgenreId, rating: 'banger' }), 400],
  ['no microgenre', (songId) => ({ songId, rating: 'banger' }), 400],
  [
    'a song id that is a number',
    (songId, microgenreId) => ({ songId: Number(songId), microgenreId, rating: 'banger' }),
    400,
  ],
  ['an invalid song id', (_, microgenreId) => ({ songId: 'abc', microgenreId, rating: 'banger' }), 400],
  [
    'an id beyond bigint',
    (_, microgenreId) => ({ songId: '9'.repeat(19), microgenreId, rating: 'banger' }),
    400,
  ],
  ['an unknown song', (_, microgenreId) => ({ songId: '999999999', microgenreId, rating: 'banger' }), 404],
  ['an unknown microgenre', (songId) => ({ songId, microgenreId: '999999999', rating: 'banger' }), 400],
]

test.each(REFUSED)(
  'discover-15: a rating with %s is rejected, and nothing is stored',
  async (_, bodyOf, expected) => {
    const ada = await app.signIn()
    const genre = await makeMicrogenre(app.db, 2)
    const json = bodyOf(genre.songs[0] ?? '', genre.id)
    const { status, body } = await ada.raw(rateAndAdvance.path, { method: 'POST', json })

    expect({ status, body }).toEqual({ status: expected, body: { message: expect.stringMatching(/./) } })
    expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
    expect(await app.db`select from rating_changes where user_id = ${ada.id}`).toHaveLength(0)
  },
)

test('a song of another microgenre is rejected, and nothing is stored', async () => {
  const ada = await app.signIn()
  const [one, other] = [await makeMicrogenre(app.db, 2), await makeMicrogenre(app.db, 2)]
  const { status, body } = await rate(ada, one.id, other.songs[0] ?? '')

  expect({ status, body }).toEqual({
    status: 400,
    body: { message: 'This song belongs to another microgenre.' },
  })
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
})

test.each(['{', '{"songId":', 'banger', '{"a":1}}', '{"__proto__":{"x":1}}', '\u0000'])(
  'the malformed body %j answers 400 in JSON',
  async (text) => {
    const ada = await app.signIn()
    const { status, body } = await ada.raw(rateAndAdvance.path, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    })

    expect({ status, body }).toEqual({
      status: 400,
      body: { message: expect.stringMatching(/^The body is not/) },
    })
  },
)

test('a body of another content type is rejected', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const text = JSON.stringify({ songId: genre.songs[0], microgenreId: genre.id, rating: 'banger' })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status, body } = await ada.raw(rateAndAdvance.path, {
      method: 'POST',
      body: text,
      headers: { 'content-type': type },
    })
    expect({ status, body }).toEqual({ status: 415, body: { message: 'The body must be JSON.' } })
  }
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
})

test('a body that is too long answers 413', async () => {
  const ada = await app.signIn()
  const { status, body } = await ada.raw(rateAndAdvance.path, {
    method: 'POST',
    json: { x: 'x'.repeat(70_000) },
  })

  expect({ status, body }).toEqual({ status: 413, body: { message: 'The body is too large.' } })
})

test('discover-26: restart brings back every song and keeps the library', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 8)
  await rateOn(ada, genre.id)
  const library = (await ada.call(listRatings)).body

  const { status, body } = await ada.call(restartMicrogenre, { params: { id: genre.id } })
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  expect((await ada.call(listRatings)).body).toEqual(library)
  expect((await ada.call(getMyStats)).body).toMatchObject({ totalBangers: 8, totalRatings: 8 })
  expect((await ada.call(listMicrogenres)).body.find(({ id }) => id === genre.id)?.unratedCount).toBe(8)

  expect([...(await rateOn(ada, genre.id, { rating: 'bust' }))].sort()).toEqual([...genre.songs].sort())
  expect((await ada.call(listRatings)).body).toHaveLength(8)
  expect((await ada.call(getMyStats)).body).toEqual({
    totalBangers: 0,
    totalRatings: 8,
    favoriteMicrogenre: null,
  })
  expect(await streakOf(ada.id)).toBe(16)
  await expectRecount(app.db)
})

test('restart reshuffles, works in mid-pass and before the first song, and affects only its listener', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 30)
  expect((await ada.call(restartMicrogenre, { params: { id: genre.id } })).status).toBe(200)
  const first = await rateOn(ada, genre.id)
  const bobs = await nextSong(bob, genre.id)
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await rateOn(ada, genre.id, { most: 10 })
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  const third = await rateOn(ada, genre.id)

  expect(new Set(third).size).toBe(30)
  expect(third).not.toEqual(first)
  expect(await nextSong(bob, genre.id)).toEqual(bobs)
})

test('when five songs are added and five retired in mid-pass, each live song comes exactly once', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'zydeco')
  const heard = await rateOn(ada, genre.id, { most: 4 })
  const changed = testCatalogue()
  const ahead = await app.db<{ key: string }[]>`
    select key from songs where microgenre_id = ${genre.id} and not (id = any(${heard}::bigint[])) order by seq limit 4`
  const [behind] = await app.db<{ key: string }[]>`select key from songs where id = ${heard[0] ?? ''}`
  const gone = new Set([...ahead, behind].map((row) => row?.key))
  changed.songs = [
    ...changed.songs.filter((song) => !gone.has(song.key)),
    ...Array.from({ length: 5 }, (_, i) => testSong('zydeco', 50 + i)),
  ]
  expect(await loadCatalogue(app.db, changed)).toMatchObject({ added: 5, retired: 5 })

  const listed = (await ada.call(listMicrogenres)).body.find(({ id }) => id === genre.id)
  expect(listed).toMatchObject({ songCount: 12, unratedCount: 9 })
  const rest = await rateOn(ada, genre.id)
  const live = await app.db<{ id: string }[]>`
    select id from songs where microgenre_id = ${genre.id} and retired_at is null`
  expect(rest).toHaveLength(9)
  expect([...heard.slice(1), ...rest].sort()).toEqual(live.map(({ id }) => id).sort())
  expect((await ada.call(listRatings)).body.map(({ id }) => id)).toContain(heard[0])
  await expectRecount(app.db)
  await loadCatalogue(app.db, testCatalogue())
})

test('songs added after the end of a pass come next', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dungeon-synth')
  await rateOn(ada, genre.id)
  expect(await nextSong(ada, genre.id)).toBeNull()
  const more = testCatalogue()
  more.songs.push(testSong('dungeon-synth', 60), testSong('dungeon-synth', 61))
  await loadCatalogue(app.db, more)

  expect(await rateOn(ada, genre.id)).toHaveLength(2)
  await expectRecount(app.db)
  await loadCatalogue(app.db, testCatalogue())
})

test('a retired song that returns in mid-pass comes in the same pass', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'footwork')
  const [first] = (await prefetch(ada, genre.id)).songs
  const without = testCatalogue()
  const [row] = await app.db<{ key: string }[]>`select key from songs where id = ${first?.id ?? ''}`
  without.songs = without.songs.filter((song) => song.key !== row?.key)
  await loadCatalogue(app.db, without)
  const heard = await rateOn(ada, genre.id, { most: 3 })
  await loadCatalogue(app.db, testCatalogue())

  expect([...heard, ...(await rateOn(ada, genre.id))].sort()).toEqual([...genre.songs].sort())
  await expectRecount(app.db)
})

test('suggestions fit the microgenre just completed and have unrated songs (discover-28, discover-46)', async () => {
  const ada = await app.signIn()
  const dub = await findMicrogenre(app.db, 'dub-techno')
  const synth = await findMicrogenre(app.db, 'dungeon-synth')
  const empty = await makeMicrogenre(app.db, 0)

  const { status, body } = await ada.call(suggestMicrogenres, { query: { exclude: dub.id, limit: 4 } })
  expect(status).toBe(200)
  expect(body).toHaveLength(4)
  expect(body[0]).toEqual({
    id: synth.id,
    name: 'Dungeon Synth',
    description: expect.any(String),
    color: '#35b5b1',
    bangerCount: expect.any(Number),
    songCount: 6,
    reason: 'Slow, instrumental and ambient, like Dub Techno',
  })

  await rateOn(ada, synth.id)
  const after = (await ada.call(suggestMicrogenres, { query: { exclude: dub.id, limit: 20 } })).body
  const ids = after.map(({ id }) => id)
  expect(ids).not.toContain(synth.id)
  expect(ids).not.toContain(dub.id)
  expect(ids).not.toContain(empty.id)
})

test('the default is four suggestions; invalid limits are rejected', async () => {
  const ada = await app.signIn()

  expect((await ada.call(suggestMicrogenres)).body).toHaveLength(4)
  for (const query of ['limit=0', 'limit=21', 'limit=x', 'limit=1.5', 'exclude=abc']) {
    expect(await ada.raw(`${suggestMicrogenres.path}?${query}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^(limit|exclude): /) },
    })
  }
})

async function prefetch(listener: Visitor, id: string) {
  const { status, body } = await listener.call(getNextSong, { params: { id }, query: { prefetch: 'true' } })
  expect(status).toBe(200)
  return body as { prefetch: true; songs: Song[] }
}

async function streakOf(listener: string) {
  const [row] = await app.db<
    { streak: number }[]
  >`select streak from listener_stats where user_id = ${listener}`
  return row?.streak
}
