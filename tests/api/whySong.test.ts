import { expect, test } from 'vitest'
import { deferSong, rateAndAdvance } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { getSongExplanation } from '../../contract/why.ts'
import { aheadOf, type MadeMicrogenre, makeMicrogenre, nextSong, rate } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'
import { writeTotals } from '../harness/writeTotals.ts'

const app = setUpApp()

const notNow = async (listener: Visitor, genre: MadeMicrogenre, songId: string, again = false) =>
  (await listener.call(deferSong, { body: { microgenreId: genre.id, songId, again } })).body.nextSong

test('discover-64: all answers with a song say why it was dealt, undo brings it back, and what was put off says so', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 12)
  await writeTotals(
    app.db,
    genre,
    genre.songs.map(
      (_, n) =>
        [
          { ratings: 90, bangers: 80 },
          { ratings: 0, bangers: 0 },
          { ratings: 60, bangers: 9 },
        ][n % 3] ?? { ratings: 0, bangers: 0 },
    ),
  )
  const said = new Map<string, string>()
  const putOff: string[] = []
  for (;;) {
    const songs = await aheadOf(ada, genre.id)
    const [song, next] = songs
    if (!song || song.putOff) break
    for (const { id, reason } of songs) {
      if (reason === 'put-off') continue
      expect(said.get(id) ?? reason).toBe(reason)
      said.set(id, reason)
    }
    expect(await nextSong(ada, genre.id)).toEqual(song)
    if (said.size % 2 === 0 && putOff.length < 3) {
      putOff.push(song.id)
      expect(await notNow(ada, genre, song.id)).toEqual(next)
      continue
    }
    const first = await rate(ada, genre.id, song.id)
    expect(first.body.nextSong).toEqual(next ?? null)
    const params = { songId: song.id }
    await ada.call(removeRating, { params, query: { undo: 'true', ratedAt: first.body.ratedAt } })
    expect(await nextSong(ada, genre.id)).toEqual(song)
    await rate(ada, genre.id, song.id)
  }
  const stored = await app.db<{ id: string; reason: number }[]>`
    select song_id as id, dealt_reason as reason from ratings where user_id = ${ada.id}
    union all select song_id, dealt_reason from not_now where user_id = ${ada.id}`
  const words = ['', 'shuffle', 'liked', 'rare']
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(stored.map(({ id, reason }) => [id, words[reason]])),
  )
  expect(new Set(said.values())).toEqual(new Set(['shuffle', 'liked', 'rare']))
  expect((await aheadOf(ada, genre.id)).map(({ id, reason }) => [id, reason])).toEqual(
    putOff.map((id) => [id, 'put-off']),
  )
  expect(await notNow(ada, genre, putOff[0] ?? '', true)).toMatchObject({ id: putOff[1], reason: 'put-off' })
})

test('discover-64: a song that returns without having been dealt comes from the shuffle', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  const [song = ''] = genre.songs
  const { body } = await rate(ada, genre.id, song)
  await aheadOf(ada, genre.id)
  await ada.call(removeRating, { params: { songId: song }, query: { undo: 'true', ratedAt: body.ratedAt } })
  expect((await aheadOf(ada, genre.id)).map(({ reason }) => reason)).toEqual([
    'shuffle',
    'shuffle',
    'shuffle',
  ])
})

/** Songs of both microgenres with numbers that differ, and a taste that fits those of the first kind. */
async function plantTraits(listener: { id: string }, genres: readonly MadeMicrogenre[]) {
  const songs = genres.flatMap((genre) => genre.songs)
  const traitsOf = new Map(
    songs.map((id, n) => [id, [Math.sin(n * 3), Math.sin(n * 5 + 1), Math.cos(n * 7), Math.cos(n * 11)]]),
  )
  for (const [id, [t1 = 0, t2 = 0, t3 = 0, t4 = 0]] of traitsOf)
    await app.db`insert into song_traits (song_id, run, share, t1, t2, t3, t4) values (${id}, 7, 0.3, ${t1}, ${t2}, ${t3}, ${t4})`
  await app.db`update listener_stats set taste_run = 7, t1 = 0.3, t2 = 0.2, t3 = -0.2, t4 = 0.1 where user_id = ${listener.id}`
  return (one: string, other: string) =>
    (traitsOf.get(one) ?? []).reduce((sum, each, n) => sum + each * (traitsOf.get(other)?.[n] ?? 0), 0)
}

const HEARD = { seconds: 20, source: 'preview' } as const

test('discover-65: the bangers behind a song are those that speak most for it, whatever was not heard, busted or not dealt', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genres = [await makeMicrogenre(app.db, 60), await makeMicrogenre(app.db, 60)]
  const productOf = await plantTraits(ada, genres)
  const titles = new Map(
    (await app.db<{ id: string; title: string; artist: string }[]>`select id, title, artist from songs`).map(
      ({ id, ...words }) => [id, words],
    ),
  )
  /** Those that count. */
  const bangers: string[] = []
  const counts = [0, 0, 0]
  for (const [round, genre] of genres.entries()) {
    for (let n = 0; n < 40; n++) {
      const [song] = await aheadOf(ada, genre.id)
      if (!song) throw new Error('No song is left.')
      const { body } = await ada.call(getSongExplanation, { params: { id: song.id } })
      const expected =
        song.reason !== 'taste'
          ? []
          : bangers
              .filter((id) => productOf(id, song.id) > 0)
              .sort((one, other) => productOf(other, song.id) - productOf(one, song.id))
              .slice(0, 2)
      expect(body.bangers).toEqual(expected.map((id) => titles.get(id)))
      if (song.reason === 'taste') counts[expected.length] = (counts[expected.length] ?? 0) + 1
      expect((await bob.call(getSongExplanation, { params: { id: song.id } })).body.bangers).toEqual([])

      const [rating, heard] = [n % 3 === 1 ? 'bust' : 'banger', n % 4 === 3 ? null : HEARD] as const
      await ada.call(rateAndAdvance, {
        body: { microgenreId: genre.id, songId: song.id, rating, heard },
      })
      if (rating === 'banger' && heard) bangers.push(song.id)
    }
    // One that was not dealt.
    const undealt = (
      await app.db<{ id: string }[]>`
      select s.id from songs s where s.microgenre_id = ${genre.id} and s.retired_at is null
        and not exists (select from ratings r where r.user_id = ${ada.id} and r.song_id = s.id)
        and not exists (select from listener_genres g where g.user_id = ${ada.id} and s.id = any(g.ahead))
      limit 1`
    )[0]
    if (round === 0 && undealt)
      await ada.call(rateAndAdvance, {
        body: { microgenreId: genre.id, songId: undealt.id, rating: 'banger', heard: HEARD },
      })
  }
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts[2]).toBeGreaterThan(10)
})

test('discover-65: of an unknown song nothing can be said', async () => {
  const ada = await app.signIn()
  const { status, body } = await ada.call(getSongExplanation, { params: { id: '999999999' } })
  expect({ status, body }).toEqual({ status: 404, body: { message: 'There is no such song.' } })
})
