import { expect, test } from 'vitest'
import {
  getNextSong,
  listMicrogenres,
  listNextMicrogenres,
  rateAndAdvance,
  restartMicrogenre,
} from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import type { Song } from '../../contract/shapes.ts'
import { loadCatalogue } from '../../server/catalogue/loadCatalogue.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { findMicrogenre, makeMicrogenre, nextSong, rate, rateOn } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { testCatalogue, testSong } from '../harness/testCatalogue.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { makeSong } from '../makeSong.ts'

const app = setUpApp()
const ada = setUpListener(app)

test('the list has every microgenre by name, with its number of unrated songs', async () => {
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
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  await rateOn(ada, genre.id)

  const { body } = await bob.call(listMicrogenres)
  expect(body.find(({ id }) => id === genre.id)?.unratedCount).toBe(3)
})

test('the next song has all fields of a song', async () => {
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
    audio: null,
    duration: expect.closeTo(180, 0),
    microgenre: 'Dub Techno',
    microgenreId: genre.id,
    color: '#35b5b0',
    putOff: false,
    reason: 'shuffle',
  })
})

test('calls-7: absent values are null, not missing fields', async () => {
  const genre = await makeMicrogenre(app.db, 1)

  const names = { title: 'Song 0', artist: 'Artist 0' }
  const ofGenre = { microgenre: genre.name, microgenreId: genre.id, color: '#778899' }
  expect(await nextSong(ada, genre.id)).toEqual(makeSong(genre.songs[0] ?? '', { ...names, ...ofGenre }))
})

test('discover-20: prefetch returns up to five songs in order, the current one first', async () => {
  const genre = await makeMicrogenre(app.db, 7)
  const current = await nextSong(ada, genre.id)

  const offeredSongs = await prefetch(ada, genre.id)
  expect(offeredSongs.prefetch).toBe(true)
  expect(offeredSongs.songs).toHaveLength(5)
  expect(offeredSongs.songs[0]).toEqual(current)
  const prefetchedIds = offeredSongs.songs.map(({ id }) => id)
  expect((await rateOn(ada, genre.id, { most: 5 })).slice(0, 5)).toEqual(prefetchedIds)
  expect((await prefetch(ada, genre.id)).songs).toHaveLength(2)
  await rateOn(ada, genre.id)
  expect(await prefetch(ada, genre.id)).toEqual({ prefetch: true, songs: [] })
})

test('a pass returns every song once, then completed, then 404', async () => {
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
  expect({ status: after.status, body: after.body }).toEqual(
    refusal(404, 'There are no more songs in this microgenre.'),
  )
})

test('two listeners hear a microgenre in different orders', async () => {
  const genre = await makeMicrogenre(app.db, 40)
  const bob = await app.signIn()

  expect(await rateOn(ada, genre.id)).not.toEqual(await rateOn(bob, genre.id))
})

test('a microgenre without songs answers 404, and prefetch is empty', async () => {
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

test.each([
  ['an unknown song', { songId: '999999999' }, 404, 'There is no such song.'],
  ['an unknown microgenre', { microgenreId: '999999999' }, 400, 'This song belongs to another microgenre.'],
  ['a song of another microgenre', null, 400, 'This song belongs to another microgenre.'],
])(
  'discover-15: a rating of %s is rejected, and nothing is stored',
  async (_, changes, expected, message) => {
    const [genre, other] = [await makeMicrogenre(app.db, 2), await makeMicrogenre(app.db, 2)]
    const given = { songId: genre.songs[0] ?? '', microgenreId: genre.id, rating: 'banger' } as const
    const { status, body } = await ada.call(rateAndAdvance, {
      body: { ...given, ...(changes ?? { songId: other.songs[0] ?? '' }) },
    })

    expect({ status, body }).toEqual({ status: expected, body: { message } })
    expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
    expect(await app.db`select from rating_changes where user_id = ${ada.id}`).toHaveLength(0)
  },
)

test.each(['{', '{"songId":', 'banger', '{"a":1}}', '{"__proto__":{"x":1}}', '\u0000'])(
  'the malformed body %j answers 400 in JSON',
  async (text) => {
    const { status, body } = await ada.raw(rateAndAdvance.path, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    })

    expect({ status, body }).toEqual(refusal(400, expect.stringMatching(/^The body is not/)))
  },
)

test('restart reshuffles, works in mid-pass and before the first song, and affects only its listener', async () => {
  const bob = await app.signIn()
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
  const genre = await findMicrogenre(app.db, 'zydeco')
  const heard = await rateOn(ada, genre.id, { most: 4 })
  const changed = testCatalogue()
  const offeredSongs = await app.db<{ key: string }[]>`
    select key from songs where microgenre_id = ${genre.id} and not (id = any(${heard}::bigint[])) order by seq limit 4`
  const [behind] = await app.db<{ key: string }[]>`select key from songs where id = ${heard[0] ?? ''}`
  const retiredKeys = new Set([...offeredSongs, behind].map((row) => row?.key))
  changed.songs = [
    ...changed.songs.filter((song) => !retiredKeys.has(song.key)),
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

test('suggestions fit the microgenre just completed and have unrated songs (discover-28, discover-46)', async () => {
  const dub = await findMicrogenre(app.db, 'dub-techno')
  const synth = await findMicrogenre(app.db, 'dungeon-synth')
  const empty = await makeMicrogenre(app.db, 0)

  const { status, body } = await ada.call(listNextMicrogenres, { query: { exclude: dub.id } })
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
  const after = (await ada.call(listNextMicrogenres, { query: { exclude: dub.id, limit: 20 } })).body
  const ids = after.map(({ id }) => id)
  expect(ids).not.toContain(synth.id)
  expect(ids).not.toContain(dub.id)
  expect(ids).not.toContain(empty.id)
})

async function prefetch(listener: Visitor, id: string) {
  const { status, body } = await listener.call(getNextSong, { params: { id }, query: { prefetch: 'true' } })
  expect(status).toBe(200)
  return body as { prefetch: true; songs: Song[] }
}
