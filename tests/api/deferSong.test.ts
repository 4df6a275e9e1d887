import { afterEach, expect, test } from 'vitest'
import {
  deferSong,
  listMicrogenres,
  listNextMicrogenres,
  type OfferedSong,
  rateAndAdvance,
  restartMicrogenre,
  undoDefer,
} from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import {
  aheadOf,
  type MadeMicrogenre,
  makeMicrogenre,
  nextSong,
  numbersFrom,
  rate,
  rateOn,
} from '../factories.ts'
import { passOrder } from '../harness/counts.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { scaled } from '../harness/tier.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
const other = setUpService(() => app.another())
afterEach(() => expectRecount(app.db))

const putOff = (listener: Visitor, genre: string, songId: string, again = false) =>
  listener.call(deferSong, { body: { microgenreId: genre, songId, again } })

const takeBack = (listener: Visitor, songId: string, saidAt: string | null) =>
  listener.call(undoDefer, { params: { songId }, query: { saidAt: saidAt ?? '' } })

const ids = (songs: readonly OfferedSong[]) => songs.map(({ id }) => id)

async function unratedCount(listener: Visitor, genre: string): Promise<number | undefined> {
  return (await listener.call(listMicrogenres)).body.find(({ id }) => id === genre)?.unratedCount
}

test('discover-43: a song that is put off comes again at the end of the pass; a second time lets it go', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  const [a = '', b = '', c = '', d = ''] = ids(await aheadOf(ada, genre.id))

  const first = (await putOff(ada, genre.id, a)).body
  expect(first).toMatchObject({ completed: false, nextSong: { id: b, putOff: false } })
  expect(first.saidAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  await putOff(ada, genre.id, b)
  expect((await aheadOf(ada, genre.id)).map((song) => [song.id, song.putOff])).toEqual([
    [c, false],
    [d, false],
    [a, true],
    [b, true],
  ])
  expect(await unratedCount(ada, genre.id)).toBe(4)
  await rate(ada, genre.id, c)
  expect((await rate(ada, genre.id, d)).body).toMatchObject({
    completed: false,
    nextSong: { id: a, putOff: true },
  })
  expect(await unratedCount(ada, genre.id)).toBe(2)

  expect((await putOff(ada, genre.id, a, true)).body).toMatchObject({ nextSong: { id: b, putOff: true } })
  expect(await unratedCount(ada, genre.id)).toBe(1)
  expect((await putOff(ada, genre.id, b, true)).body).toMatchObject({ completed: true, nextSong: null })
  expect(await nextSong(ada, genre.id)).toBeNull()
  expect(await unratedCount(ada, genre.id)).toBe(0)
  const suggested = (await ada.call(listNextMicrogenres, { query: { limit: 20 } })).body
  expect(ids(suggested as unknown as OfferedSong[])).not.toContain(genre.id)

  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  expect(await unratedCount(ada, genre.id)).toBe(4)
  expect((await aheadOf(ada, genre.id)).map((song) => song.putOff)).toEqual([false, false, false, false])
  expect((await rateOn(ada, genre.id)).sort()).toEqual([...genre.songs].sort())
})

test('discover-43: nothing is rated and no count changes; a repeated call changes nothing', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [a = '', b = ''] = ids(await aheadOf(ada, genre.id))
  const first = await putOff(ada, genre.id, a)
  const again = await putOff(ada, genre.id, a)

  expect(again.body).toEqual(first.body)
  expect(ids(await aheadOf(ada, genre.id))).toEqual([b, a])
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
  expect(await app.db`select total_ratings, streak from listener_stats where user_id = ${ada.id}`).toEqual([
    { totalRatings: 0, streak: 0 },
  ])
  // A song that another tab has rated meanwhile stays rated.
  await rate(ada, genre.id, b)
  expect((await putOff(ada, genre.id, b)).body).toMatchObject({ nextSong: { id: a }, saidAt: null })
  expect(ids(await aheadOf(ada, genre.id))).toEqual([a])
})

test('discover-44: undo takes back the last not now, once', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [a = '', b = ''] = ids(await aheadOf(ada, genre.id))
  const { saidAt } = (await putOff(ada, genre.id, a)).body
  expect((await takeBack(ada, a, saidAt)).body).toEqual({ success: true })
  expect((await aheadOf(ada, genre.id)).map((song) => [song.id, song.putOff])).toEqual([
    [a, false],
    [b, false],
  ])
  const later = (await putOff(ada, genre.id, a)).body.saidAt
  expect((await takeBack(ada, a, saidAt)).status).toBe(200)
  expect(ids(await aheadOf(ada, genre.id))).toEqual([b, a])

  await rate(ada, genre.id, b)
  const gone = (await putOff(ada, genre.id, a, true)).body
  expect(gone.completed).toBe(true)
  // The first not now is not the last one any more.
  await takeBack(ada, a, later)
  expect(await nextSong(ada, genre.id)).toBeNull()
  await takeBack(ada, a, gone.saidAt)
  expect(await nextSong(ada, genre.id)).toMatchObject({ id: a, putOff: true })
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await takeBack(ada, a, later)
  expect(await aheadOf(ada, genre.id)).toHaveLength(2)
})

test('discover-43: undoing the rating of a song that was put off puts it off again', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [a = '', b = ''] = ids(await aheadOf(ada, genre.id))
  await putOff(ada, genre.id, a)
  await rate(ada, genre.id, b)
  const { ratedAt } = (await rate(ada, genre.id, a)).body
  await ada.call(removeRating, { params: { songId: a }, query: { undo: 'true', ratedAt } })
  expect(await nextSong(ada, genre.id)).toMatchObject({ id: a, putOff: true })
})

test('discover-43: retired songs that were put off or let go neither come nor count, and new songs come first', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [a = '', b = '', c = ''] = ids(await aheadOf(ada, genre.id))
  for (const song of [a, b, c]) await putOff(ada, genre.id, song)
  await putOff(ada, genre.id, c, true)
  const retire = async (song: string) => {
    await app.db`update songs set retired_at = now() where id = ${song}`
    await app.db`update microgenres set live_song_count = live_song_count - 1 where id = ${genre.id}`
  }
  await retire(a)
  await retire(c)
  expect(ids(await aheadOf(ada, genre.id))).toEqual([b])
  expect(await unratedCount(ada, genre.id)).toBe(1)

  const [added] = await app.db<{ id: string }[]>`
    insert into songs (key, source, microgenre_id, seq, title, artist)
    values (${`late-${genre.id}`}, 'import', ${genre.id}, 3, 'Late', 'Arrival') returning id`
  await app.db`
    update microgenres set song_count = song_count + 1, live_song_count = live_song_count + 1 where id = ${genre.id}`
  expect(ids(await aheadOf(ada, genre.id))).toEqual([added?.id, b])
  expect(await unratedCount(ada, genre.id)).toBe(2)
})

test('discover-43: an unknown song, or one of another microgenre, is refused and stores nothing', async () => {
  const [genre, elsewhere] = [await makeMicrogenre(app.db, 1), await makeMicrogenre(app.db, 1)]
  expect((await putOff(ada, genre.id, '999999999')).status).toBe(404)
  expect((await putOff(ada, genre.id, elsewhere.songs[0] ?? '')).status).toBe(400)
  expect((await takeBack(ada, '999999999', '2026-11-23T12:00:00.000000Z')).status).toBe(404)
  expect((await takeBack(ada, genre.songs[0] ?? '', 'yesterday')).status).toBe(400)
  expect(await app.db`select from not_now where user_id = ${ada.id}`).toHaveLength(0)
})

test('discover-45: a rating knows what was heard, and totals tell heard from unheard', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [song = ''] = genre.songs
  const [ada, bob, eve] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const rateHeard = (listener: Visitor, rating: 'banger' | 'bust', heard?: object | null) =>
    listener.raw(rateAndAdvance.path, {
      method: 'POST',
      json: { microgenreId: genre.id, songId: song, rating, ...(heard === undefined ? {} : { heard }) },
    })
  const totals = async () => {
    await rollUp(app.db)
    const [row] = await app.db`
      select ratings, bangers, heard_ratings, heard_bangers from song_totals where song_id = ${song}`
    return Object.values(row ?? {})
  }
  await rateHeard(ada, 'banger', { seconds: 12.5, source: 'preview' })
  await rateHeard(bob, 'banger', null)
  await rateHeard(eve, 'bust')
  expect(await totals()).toEqual([3, 2, 1, 1])
  // Another rating in the same pass, then one in the next, which an undo takes back.
  await rateHeard(ada, 'bust', { seconds: 3, source: 'video' })
  expect(await totals()).toEqual([3, 1, 1, 0])
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await rateHeard(ada, 'banger', null)
  expect(await totals()).toEqual([3, 2, 0, 0])
  await ada.call(removeRating, { params: { songId: song }, query: { undo: 'true' } })
  expect(await totals()).toEqual([3, 1, 1, 0])
  expect(await app.db`select heard_seconds, heard_source from ratings where user_id = ${ada.id}`).toEqual([
    { heardSeconds: 3, heardSource: 'video' },
  ])
  await ada.call(removeRating, { params: { songId: song } })
  expect(await totals()).toEqual([2, 1, 0, 0])

  for (const heard of [{ seconds: 0, source: 'video' }, { seconds: 5, source: 'radio' }, { seconds: 5 }, [5]])
    expect((await rateHeard(ada, 'bust', heard)).status).toBe(400)
})

/* Two tabs at once: the result must be that of one order or the other, in every detail. */

const ROUNDS = scaled(20, 200)
const LISTENERS = 10

interface Pass {
  order: string[]
  rated: Set<string>
  /** The times of a song's not nows: one puts it off, two let it go. */
  said: Map<string, string[]>
}

type Act =
  | { do: 'rate'; song: OfferedSong }
  | { do: 'not now'; song: OfferedSong; saidAt?: string | null }
  | { do: 'undo rating'; song: OfferedSong; at: string }
  | { do: 'undo not now'; song: OfferedSong; at: string }
  | { do: 'restart' }

function toCome({ order, rated, said }: Pass) {
  const putOff = [...said].filter(([, times]) => times.length === 1).sort(byFirstTime)
  return [
    ...order.filter((id) => !rated.has(id) && !said.has(id)).map((id) => ({ id, putOff: false })),
    ...putOff.filter(([id]) => !rated.has(id)).map(([id]) => ({ id, putOff: true })),
  ]
}

const byFirstTime = ([, [one = '']]: [string, string[]], [, [other = '']]: [string, string[]]) =>
  one < other ? -1 : 1

/** The pass after the act, by the rules. */
function applyTo(pass: Pass, act: Act, orderAfterwards: string[]): Pass {
  if (act.do === 'restart') return { order: orderAfterwards, rated: new Set(), said: new Map() }
  const next = { ...pass, rated: new Set(pass.rated), said: new Map(pass.said) }
  const { id, putOff: again } = act.song
  const times = next.said.get(id) ?? []
  if (act.do === 'rate') next.rated.add(id)
  if (act.do === 'undo rating') next.rated.delete(id)
  if (act.do === 'not now' && act.saidAt && !next.rated.has(id)) {
    if (times.length === 0 || (again && times.length === 1)) next.said.set(id, [...times, act.saidAt])
  }
  if (act.do === 'undo not now' && times.at(-1) === act.at) {
    if (times.length === 1) next.said.delete(id)
    else next.said.set(id, times.slice(0, -1))
  }
  return next
}

test(`discover-43, discover-44: ${ROUNDS} rounds of not now, rating, undo and restart from two tabs: each song comes as told`, async () => {
  await Promise.all(
    Array.from({ length: LISTENERS }, async (_, seed) => {
      const one = await app.signIn()
      const two = one.at(other.url)
      const genre = await makeMicrogenre(app.db, 6)
      const random = numbersFrom(seed + 1)
      await aheadOf(one, genre.id)
      const newPass = async (): Promise<Pass> => ({
        order: await passOrder(app.db, one.id, genre),
        rated: new Set(),
        said: new Map(),
      })
      // Only five songs are told, so both orders of two acts can fit what was told.
      let passes = [await newPass()]
      let last: Act | null = null
      for (let round = 0; round < ROUNDS / LISTENERS; round++) {
        const shown = await aheadOf(one, genre.id)
        const acts: readonly [Act, Act] = [pick(random, shown, last), pick(random, shown, last)]
        const [left, right] = await Promise.all([send(one, genre, acts[0]), send(two, genre, acts[1])])
        const order = await passOrder(app.db, one.id, genre)
        const came = (await aheadOf(one, genre.id)).map(({ id, putOff }) => ({ id, putOff }))
        const unrated = await unratedCount(one, genre.id)
        const told = { left: left.answer, right: right.answer, came, unrated }
        const possible = passes.flatMap((pass) =>
          [
            [0, 1],
            [1, 0],
          ].map(([first = 0, second = 1]) => {
            const afterFirst = applyTo(pass, acts[first] ?? acts[0], order)
            const afterBoth = applyTo(afterFirst, acts[second] ?? acts[1], order)
            const heads = {
              [first]: answerTo(acts[first], afterFirst),
              [second]: answerTo(acts[second], afterBoth),
            }
            const left = toCome(afterBoth)
            const expected = { left: heads[0], right: heads[1], came: left.slice(0, 5), unrated: left.length }
            return { expected, afterBoth }
          }),
        )
        expect(possible.map(({ expected }) => expected)).toContainEqual(told)
        const fitting = possible.filter(({ expected }) => same(expected, told))
        passes = [...new Map(fitting.map(({ afterBoth }) => [passKey(afterBoth), afterBoth])).values()]
        last = left.done ?? right.done
        if (came.length === 0) {
          await one.call(restartMicrogenre, { params: { id: genre.id } })
          passes = [await newPass()]
          last = null
        }
      }
      // In the rest of the pass each song comes once. Songs that were let go do not come.
      const rest = passes.map((pass) => toCome(pass).map(({ id }) => id))
      expect(rest).toContainEqual(await rateOn(one, genre.id))
    }),
  )
  expect(app.errors).toEqual([])
  expect(other.errors).toEqual([])
})

const passKey = ({ order, rated, said }: Pass) => JSON.stringify([order, [...rated].sort(), [...said].sort()])

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What the answer to an act says: the next song, and whether a not now counted. Undo and restart say nothing. */
function answerTo(act: Act | undefined, pass: Pass) {
  if (act?.do !== 'rate' && act?.do !== 'not now') return undefined
  return { next: toCome(pass)[0] ?? null, counted: act.do === 'rate' || !pass.rated.has(act.song.id) }
}

function pick(random: () => number, shown: OfferedSong[], last: Act | null): Act {
  const way = random()
  // Mostly the song on screen, as both tabs show it; now and then one that a tab has seen ahead.
  const song = shown[way < 0.8 ? 0 : Math.min(1, shown.length - 1)]
  const kind = random()
  if (!song || kind < 0.06) return { do: 'restart' }
  if (kind < 0.3 && last) return last
  return kind < 0.75 ? { do: 'not now', song } : { do: 'rate', song }
}

/** Sends the act; `done` is the undo of it. */
async function send(
  tab: Visitor,
  { id: microgenreId }: MadeMicrogenre,
  act: Act,
): Promise<{ answer: ReturnType<typeof answerTo>; done: Act | null }> {
  if (act.do === 'restart') {
    await tab.call(restartMicrogenre, { params: { id: microgenreId } })
    return { answer: undefined, done: null }
  }
  const { song } = act
  if (act.do === 'rate') {
    const { status, body } = await rate(tab, microgenreId, song.id)
    expect(status).toBe(200)
    return {
      answer: { next: brief(body.nextSong), counted: true },
      done: { do: 'undo rating', song, at: body.ratedAt } as const,
    }
  }
  if (act.do === 'not now') {
    const { status, body } = await putOff(tab, microgenreId, song.id, song.putOff)
    expect(status).toBe(200)
    act.saidAt = body.saidAt
    const done = body.saidAt ? ({ do: 'undo not now', song, at: body.saidAt } as const) : null
    return { answer: { next: brief(body.nextSong), counted: body.saidAt !== null }, done }
  }
  const { status } =
    act.do === 'undo rating'
      ? await tab.call(removeRating, {
          params: { songId: song.id },
          query: { undo: 'true', ratedAt: act.at },
        })
      : await takeBack(tab, song.id, act.at)
  expect(status).toBe(200)
  return { answer: undefined, done: null }
}

const brief = (song: OfferedSong | null) => song && { id: song.id, putOff: song.putOff }
