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
  type MadeMicrogenre,
  makeMicrogenre,
  nextSong,
  numbersFrom,
  prefetchSongs,
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

const undoDeferral = (listener: Visitor, songId: string, saidAt: string | null) =>
  listener.call(undoDefer, { params: { songId }, query: { saidAt: saidAt ?? '' } })

const ids = (songs: readonly OfferedSong[]) => songs.map(({ id }) => id)

async function unratedCount(listener: Visitor, genre: string): Promise<number | undefined> {
  return (await listener.call(listMicrogenres)).body.find(({ id }) => id === genre)?.unratedCount
}

test('discover-43: a deferred song returns at the end of the pass; a second deferral drops it', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  const [a = '', b = '', c = '', d = ''] = ids(await prefetchSongs(ada, genre.id))

  const first = (await putOff(ada, genre.id, a)).body
  expect(first).toMatchObject({ completed: false, nextSong: { id: b, putOff: false } })
  expect(first.saidAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  await putOff(ada, genre.id, b)
  expect((await prefetchSongs(ada, genre.id)).map((song) => [song.id, song.putOff])).toEqual([
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
  expect((await prefetchSongs(ada, genre.id)).map((song) => song.putOff)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect((await rateOn(ada, genre.id)).sort()).toEqual([...genre.songs].sort())
})

test('discover-43: a deferral rates nothing and changes no count; a repeated call changes nothing', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [a = '', b = ''] = ids(await prefetchSongs(ada, genre.id))
  const first = await putOff(ada, genre.id, a)
  const again = await putOff(ada, genre.id, a)

  expect(again.body).toEqual(first.body)
  expect(ids(await prefetchSongs(ada, genre.id))).toEqual([b, a])
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
  expect(await app.db`select total_ratings, streak from listener_stats where user_id = ${ada.id}`).toEqual([
    { totalRatings: 0, streak: 0 },
  ])
  // A song that another tab has rated meanwhile stays rated.
  await rate(ada, genre.id, b)
  expect((await putOff(ada, genre.id, b)).body).toMatchObject({ nextSong: { id: a }, saidAt: null })
  expect(ids(await prefetchSongs(ada, genre.id))).toEqual([a])
})

test('discover-44: undo reverts the last deferral, once', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [a = '', b = ''] = ids(await prefetchSongs(ada, genre.id))
  const { saidAt } = (await putOff(ada, genre.id, a)).body
  expect((await undoDeferral(ada, a, saidAt)).body).toEqual({ success: true })
  expect((await prefetchSongs(ada, genre.id)).map((song) => [song.id, song.putOff])).toEqual([
    [a, false],
    [b, false],
  ])
  const later = (await putOff(ada, genre.id, a)).body.saidAt
  expect((await undoDeferral(ada, a, saidAt)).status).toBe(200)
  expect(ids(await prefetchSongs(ada, genre.id))).toEqual([b, a])

  await rate(ada, genre.id, b)
  const dropped = (await putOff(ada, genre.id, a, true)).body
  expect(dropped.completed).toBe(true)
  // The first deferral is no longer the last.
  await undoDeferral(ada, a, later)
  expect(await nextSong(ada, genre.id)).toBeNull()
  await undoDeferral(ada, a, dropped.saidAt)
  expect(await nextSong(ada, genre.id)).toMatchObject({ id: a, putOff: true })
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await undoDeferral(ada, a, later)
  expect(await prefetchSongs(ada, genre.id)).toHaveLength(2)
})

test('discover-43: undoing the rating of a deferred song defers it again', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [a = '', b = ''] = ids(await prefetchSongs(ada, genre.id))
  await putOff(ada, genre.id, a)
  await rate(ada, genre.id, b)
  const { ratedAt } = (await rate(ada, genre.id, a)).body
  await ada.call(removeRating, { params: { songId: a }, query: { undo: 'true', ratedAt } })
  expect(await nextSong(ada, genre.id)).toMatchObject({ id: a, putOff: true })
})

test('discover-43: retired songs that were deferred or dropped neither come nor count, and new songs come first', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [a = '', b = '', c = ''] = ids(await prefetchSongs(ada, genre.id))
  for (const song of [a, b, c]) await putOff(ada, genre.id, song)
  await putOff(ada, genre.id, c, true)
  const retire = async (song: string) => {
    await app.db`update songs set retired_at = now() where id = ${song}`
    await app.db`update microgenres set live_song_count = live_song_count - 1 where id = ${genre.id}`
  }
  await retire(a)
  await retire(c)
  expect(ids(await prefetchSongs(ada, genre.id))).toEqual([b])
  expect(await unratedCount(ada, genre.id)).toBe(1)

  const [added] = await app.db<{ id: string }[]>`
    insert into songs (key, source, microgenre_id, seq, title, artist)
    values (${`late-${genre.id}`}, 'import', ${genre.id}, 3, 'Late', 'Arrival') returning id`
  await app.db`
    update microgenres set song_count = song_count + 1, live_song_count = live_song_count + 1 where id = ${genre.id}`
  expect(ids(await prefetchSongs(ada, genre.id))).toEqual([added?.id, b])
  expect(await unratedCount(ada, genre.id)).toBe(2)
})

test('discover-43: an unknown song, or one of another microgenre, is refused and stores nothing', async () => {
  const [genre, elsewhere] = [await makeMicrogenre(app.db, 1), await makeMicrogenre(app.db, 1)]
  expect((await putOff(ada, genre.id, '999999999')).status).toBe(404)
  expect((await putOff(ada, genre.id, elsewhere.songs[0] ?? '')).status).toBe(400)
  expect((await undoDeferral(ada, '999999999', '2026-11-23T12:00:00.000000Z')).status).toBe(404)
  expect((await undoDeferral(ada, genre.songs[0] ?? '', 'yesterday')).status).toBe(400)
  expect(await app.db`select from not_now where user_id = ${ada.id}`).toHaveLength(0)
})

test('discover-45: a rating stores what was heard, and totals separate heard from unheard', async () => {
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
  /** The times of each song's deferrals: one defers it, two drop it. */
  deferrals: Map<string, string[]>
}

type Action =
  | { do: 'rate'; song: OfferedSong }
  | { do: 'not now'; song: OfferedSong; saidAt?: string | null }
  | { do: 'undo rating'; song: OfferedSong; at: string }
  | { do: 'undo not now'; song: OfferedSong; at: string }
  | { do: 'restart' }

function remainingSongs({ order, rated, deferrals }: Pass) {
  const putOff = [...deferrals].filter(([, times]) => times.length === 1).sort(byFirstTime)
  return [
    ...order.filter((id) => !rated.has(id) && !deferrals.has(id)).map((id) => ({ id, putOff: false })),
    ...putOff.filter(([id]) => !rated.has(id)).map(([id]) => ({ id, putOff: true })),
  ]
}

const byFirstTime = ([, [one = '']]: [string, string[]], [, [other = '']]: [string, string[]]) =>
  one < other ? -1 : 1

/** The pass after the action, by the rules. */
function applyTo(pass: Pass, action: Action, orderAfterwards: string[]): Pass {
  if (action.do === 'restart') return { order: orderAfterwards, rated: new Set(), deferrals: new Map() }
  const next = { ...pass, rated: new Set(pass.rated), deferrals: new Map(pass.deferrals) }
  const { id, putOff: again } = action.song
  const times = next.deferrals.get(id) ?? []
  if (action.do === 'rate') next.rated.add(id)
  if (action.do === 'undo rating') next.rated.delete(id)
  if (action.do === 'not now' && action.saidAt && !next.rated.has(id)) {
    if (times.length === 0 || (again && times.length === 1)) next.deferrals.set(id, [...times, action.saidAt])
  }
  if (action.do === 'undo not now' && times.at(-1) === action.at) {
    if (times.length === 1) next.deferrals.delete(id)
    else next.deferrals.set(id, times.slice(0, -1))
  }
  return next
}

test(`discover-43, discover-44: ${ROUNDS} rounds of deferring, rating, undo and restart from two tabs: the result is that of one order`, async () => {
  await Promise.all(
    Array.from({ length: LISTENERS }, async (_, seed) => {
      const one = await app.signIn()
      const two = one.at(other.url)
      const genre = await makeMicrogenre(app.db, 6)
      const random = numbersFrom(seed + 1)
      await prefetchSongs(one, genre.id)
      const newPass = async (): Promise<Pass> => ({
        order: await passOrder(app.db, one.id, genre),
        rated: new Set(),
        deferrals: new Map(),
      })
      // The server returns only five songs, so both orders of two actions can fit.
      let passes = [await newPass()]
      let last: Action | null = null
      for (let round = 0; round < ROUNDS / LISTENERS; round++) {
        const nextSongs = await prefetchSongs(one, genre.id)
        const actions: readonly [Action, Action] = [
          pick(random, nextSongs, last),
          pick(random, nextSongs, last),
        ]
        const [leftResult, rightResult] = await Promise.all([
          send(one, genre, actions[0]),
          send(two, genre, actions[1]),
        ])
        const order = await passOrder(app.db, one.id, genre)
        const comingSongs = (await prefetchSongs(one, genre.id)).map(({ id, putOff }) => ({ id, putOff }))
        const unrated = await unratedCount(one, genre.id)
        const actual = { left: leftResult.answer, right: rightResult.answer, came: comingSongs, unrated }
        const possible = passes.flatMap((pass) =>
          [
            [0, 1],
            [1, 0],
          ].map(([first = 0, second = 1]) => {
            const afterFirst = applyTo(pass, actions[first] ?? actions[0], order)
            const afterBoth = applyTo(afterFirst, actions[second] ?? actions[1], order)
            const responses = {
              [first]: expectedResponse(actions[first], afterFirst),
              [second]: expectedResponse(actions[second], afterBoth),
            }
            const remaining = remainingSongs(afterBoth)
            const expected = {
              left: responses[0],
              right: responses[1],
              came: remaining.slice(0, 5),
              unrated: remaining.length,
            }
            return { expected, afterBoth }
          }),
        )
        expect(possible.map(({ expected }) => expected)).toContainEqual(actual)
        const fitting = possible.filter(({ expected }) => JSON.stringify(expected) === JSON.stringify(actual))
        passes = [...new Map(fitting.map(({ afterBoth }) => [passKey(afterBoth), afterBoth])).values()]
        last = leftResult.undo ?? rightResult.undo
        if (comingSongs.length === 0) {
          await one.call(restartMicrogenre, { params: { id: genre.id } })
          passes = [await newPass()]
          last = null
        }
      }
      // In the rest of the pass each song comes once. Dropped songs do not come.
      const rest = passes.map((pass) => remainingSongs(pass).map(({ id }) => id))
      expect(rest).toContainEqual(await rateOn(one, genre.id))
    }),
  )
  expect(app.errors).toEqual([])
  expect(other.errors).toEqual([])
})

const passKey = ({ order, rated, deferrals }: Pass) =>
  JSON.stringify([order, [...rated].sort(), [...deferrals].sort()])

/** The response to an action: the next song, and whether a deferral counted. Undo and restart have none. */
function expectedResponse(action: Action | undefined, pass: Pass) {
  if (action?.do !== 'rate' && action?.do !== 'not now') return undefined
  return {
    next: remainingSongs(pass)[0] ?? null,
    wasCounted: action.do === 'rate' || !pass.rated.has(action.song.id),
  }
}

function pick(random: () => number, nextSongs: OfferedSong[], last: Action | null): Action {
  const chance = random()
  // Mostly the song on screen, which both tabs show; sometimes one that a tab has prefetched.
  const song = nextSongs[chance < 0.8 ? 0 : Math.min(1, nextSongs.length - 1)]
  const kind = random()
  if (!song || kind < 0.06) return { do: 'restart' }
  if (kind < 0.3 && last) return last
  return kind < 0.75 ? { do: 'not now', song } : { do: 'rate', song }
}

/** Sends the action; `undo` reverts it. */
async function send(
  tab: Visitor,
  { id: microgenreId }: MadeMicrogenre,
  action: Action,
): Promise<{ answer: ReturnType<typeof expectedResponse>; undo: Action | null }> {
  if (action.do === 'restart') {
    await tab.call(restartMicrogenre, { params: { id: microgenreId } })
    return { answer: undefined, undo: null }
  }
  const { song } = action
  if (action.do === 'rate') {
    const { status, body } = await rate(tab, microgenreId, song.id)
    expect(status).toBe(200)
    return {
      answer: { next: summaryOf(body.nextSong), wasCounted: true },
      undo: { do: 'undo rating', song, at: body.ratedAt } as const,
    }
  }
  if (action.do === 'not now') {
    const { status, body } = await putOff(tab, microgenreId, song.id, song.putOff)
    expect(status).toBe(200)
    action.saidAt = body.saidAt
    const undo = body.saidAt ? ({ do: 'undo not now', song, at: body.saidAt } as const) : null
    return { answer: { next: summaryOf(body.nextSong), wasCounted: body.saidAt !== null }, undo }
  }
  const { status } =
    action.do === 'undo rating'
      ? await tab.call(removeRating, {
          params: { songId: song.id },
          query: { undo: 'true', ratedAt: action.at },
        })
      : await undoDeferral(tab, song.id, action.at)
  expect(status).toBe(200)
  return { answer: undefined, undo: null }
}

const summaryOf = (song: OfferedSong | null) => song && { id: song.id, putOff: song.putOff }
