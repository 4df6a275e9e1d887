import { expect, test } from 'vitest'
import { getNextSong, sayNotNow } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { type MadeMicrogenre, makeMicrogenre, nextSong, rate } from '../factories.ts'
import { knowTotals } from '../harness/knowTotals.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()

async function ahead(listener: Visitor, genre: MadeMicrogenre) {
  const query = { prefetch: 'true' } as const
  const { body } = await listener.call(getNextSong, { params: { id: genre.id }, query })
  return 'prefetch' in body ? body.songs : []
}

const notNow = async (listener: Visitor, genre: MadeMicrogenre, songId: string, again = false) =>
  (await listener.call(sayNotNow, { body: { microgenreId: genre.id, songId, again } })).body.nextSong

test('discover-64: all answers with a song say why it was dealt, undo brings it back, and what was put off says so', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 12)
  await knowTotals(
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
    const songs = await ahead(ada, genre)
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
  expect((await ahead(ada, genre)).map(({ id, reason }) => [id, reason])).toEqual(
    putOff.map((id) => [id, 'put-off']),
  )
  expect(await notNow(ada, genre, putOff[0] ?? '', true)).toMatchObject({ id: putOff[1], reason: 'put-off' })
})

test('discover-64: a song that returns without having been dealt comes from the shuffle', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  const [song = ''] = genre.songs
  const { body } = await rate(ada, genre.id, song)
  await ahead(ada, genre)
  await ada.call(removeRating, { params: { songId: song }, query: { undo: 'true', ratedAt: body.ratedAt } })
  expect((await ahead(ada, genre)).map(({ reason }) => reason)).toEqual(['shuffle', 'shuffle', 'shuffle'])
})
