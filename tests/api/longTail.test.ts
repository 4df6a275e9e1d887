import { expect, test } from 'vitest'
import { getLongTail, type LongTail } from '../../contract/community.ts'
import { removeRating } from '../../contract/library.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { countLongTail } from '../../server/community/longTail.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { HEARD_PREVIEW, type MadeMicrogenre, makeListeners, makeMicrogenre } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const app = setUpApp()
const env = readEnv({})

test('community-20, community-22: a new instance has no figures, also for a visitor', async () => {
  await countLongTail(app.db)
  const { status, body } = await app.visitor().call(getLongTail)

  expect({ status, all: body.all, microgenres: body.microgenres }).toEqual({
    status: 200,
    all: null,
    microgenres: [],
  })
  expect(body.withoutFigures).toHaveLength(5)
  expect(body.withoutFigures).toContain('Bossa Nova')
})

test('community-20, community-21, community-24: the figures equal a recount of the ratings, the least even first', async () => {
  const genres = await Promise.all([9, 6, 14, 2, 5].map((songs) => makeMicrogenre(app.db, songs)))
  const [skewed, even, long, pair, retired] = genres as FiveMicrogenres
  const listeners = await makeListeners(app.db, 40)
  for (const [n, listener] of listeners.entries()) {
    await rateHeard(listener, skewed, skewed.songs.slice(0, 1 + Math.floor((n % 8) ** 2 / 8)))
    if (n < 12) await rateHeard(listener, even, even.songs)
    if (n % 2 === 0) await rateHeard(listener, long, long.songs.slice(n % 5, 3 + (n % 11)))
    if (n < 7) await rateHeard(listener, pair, pair.songs.slice(0, 1 + (n % 2)))
    if (n < 9) await rateHeard(listener, retired, retired.songs)
  }
  // Unheard ratings are no plays.
  const [silentListener] = await makeListeners(app.db, 1)
  for (const songId of skewed.songs)
    await rateSong(app.db, env, silentListener ?? '', { microgenreId: skewed.id, songId, rating: 'banger' })
  // The last song of each is an old one. Of a retired song and of a retired microgenre nothing counts.
  for (const { songs } of genres)
    await app.db`update songs set created_at = now() - interval '31 days' where id = ${songs.at(-1) ?? ''}`
  await app.db`update songs set retired_at = now() where id = ${skewed.songs[0] ?? ''}`
  await app.db`update microgenres set retired_at = now() where id = ${retired.id}`

  const before = Date.now()
  const body = await count()
  const expected = await recount()
  expect(body.microgenres).toEqual(expected.microgenres)
  expect(body.all).toEqual({ ...expected.all, countedAt: expect.any(String) })
  expect(Date.parse(body.all?.countedAt ?? '')).toBeGreaterThan(before - 60_000)

  expect(body.microgenres.map(({ microgenre }) => microgenre).toSorted()).toEqual(
    [skewed, even, long].map(({ name }) => name).toSorted(),
  )
  const shares = body.microgenres.map(({ halfPlays, plays }) => halfPlays / plays)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  const tailOf = ({ name }: MadeMicrogenre) => body.microgenres.find(({ microgenre }) => microgenre === name)
  expect(tailOf(even)).toMatchObject({ songs: 6, plays: 72, halfPlays: 36, littleHeard: 0, neverHeard: 0 })
  expect(tailOf(long)).toMatchObject({ songs: 14, neverHeard: 1 })
  expect(tailOf(skewed)?.songs).toBe(8)

  // Undone and removed ratings count no more.
  const ada = await app.signIn()
  await rateHeard(ada.id, even, even.songs.slice(0, 1))
  expect((await count()).all?.plays).toBe((body.all?.plays ?? 0) + 1)
  await ada.call(removeRating, { params: { songId: even.songs[0] ?? '' }, query: { undo: 'true' } })
  expect((await count()).microgenres).toEqual(expected.microgenres)
})

test('community-22: nothing of fewer than five listeners shows, neither by itself nor as the difference to all', async () => {
  const [few, scattered, small, single] = [
    await makeMicrogenre(app.db, 6),
    await makeMicrogenre(app.db, 12),
    await makeMicrogenre(app.db, 4),
    await makeMicrogenre(app.db, 1),
  ]
  const listeners = await makeListeners(app.db, 6)
  for (const [n, listener] of listeners.entries()) {
    if (n < 4) await rateHeard(listener, few, few.songs)
    // Six listeners with different songs: their totals could be those of one listener.
    await rateHeard(listener, scattered, scattered.songs.slice(2 * n, 2 * n + 2))
    // The half of a few songs would reveal what one of them heard.
    await rateHeard(listener, small, n === 0 ? small.songs : small.songs.slice(0, 2))
    await rateHeard(listener, single, single.songs)
  }
  const hidden = [few, scattered, small, single].map(({ name }) => name)
  const isHidden = async () => {
    const { all, microgenres, withoutFigures } = await count()
    expectNoDifference(all, microgenres)
    expect(withoutFigures).toEqual(
      withoutFigures.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    )
    const microgenreNames = microgenres.map(({ microgenre }) => microgenre)
    return hidden.filter((name) => withoutFigures.includes(name) && !microgenreNames.includes(name))
  }
  expect(await isHidden()).toEqual(hidden)

  // The figures appear with the fifth listener, and vanish with their account.
  const eve = await app.signIn()
  await rateHeard(eve.id, few, few.songs.slice(0, 1))
  expect(await isHidden()).toEqual(hidden.slice(1))
  await eve.call(deleteAccount, { body: { confirmation: eve.email } })
  expect(await isHidden()).toEqual(hidden)
  for (const { listeners } of await readListenersOfShown()) expect(listeners).toBeGreaterThanOrEqual(5)
})

test('community-23: one process counts at a time, always with the same result', async () => {
  const before = await count()
  await app.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7041026)`
    await tx`update long_tail set plays = plays + 1 where microgenre_id = 0`
    // The call returns at once, without waiting for the row.
    await countLongTail(app.db)
  })
  const { body } = await app.visitor().call(getLongTail)
  expect(body.all?.plays).toBe((before.all?.plays ?? 0) + 1)

  await Promise.all([countLongTail(app.db), countLongTail(app.db), countLongTail(app.db)])
  const after = (await app.visitor().call(getLongTail)).body
  expect({ ...after, all: { ...after.all, countedAt: before.all?.countedAt } }).toEqual(before)
})

type FiveMicrogenres = [MadeMicrogenre, MadeMicrogenre, MadeMicrogenre, MadeMicrogenre, MadeMicrogenre]

async function count() {
  await rollUp(app.db)
  await countLongTail(app.db)
  return (await app.visitor().call(getLongTail)).body
}

/** Rates the songs as heard bangers. */
async function rateHeard(listener: string, { id }: MadeMicrogenre, songs: readonly string[]): Promise<void> {
  for (const songId of songs)
    await rateSong(app.db, env, listener, {
      microgenreId: id,
      songId,
      rating: 'banger',
      heard: HEARD_PREVIEW,
    })
}

/** Every figure over all is the sum of those that are shown; only the halves are those of all songs. */
function expectNoDifference(all: LongTail | null, microgenres: LongTail[]): void {
  for (const figure of ['songs', 'plays', 'littleHeard', 'littleHeardNew', 'neverHeard'] as const)
    expect([figure, all?.[figure] ?? 0]).toEqual([
      figure,
      microgenres.reduce((sum, tail) => sum + tail[figure], 0),
    ])
}

/** Computed from the ratings, differently from the code. */
async function recount() {
  const songs = await app.db<{ microgenre: string; color: string; isNew: boolean; hearers: number }[]>`
    with heard as materialized (
      select song_id, count(*) as hearers from ratings where heard_source is not null group by song_id
    )
    select m.name as microgenre, m.color, s.created_at > now() - interval '30 days' as is_new,
      coalesce(heard.hearers, 0)::int as hearers
    from songs s join microgenres m on m.id = s.microgenre_id left join heard on heard.song_id = s.id
    where s.retired_at is null and m.retired_at is null`
  type Song = (typeof songs)[number]
  const figures = (of: readonly Song[]): LongTail => {
    const plays = of.map(({ hearers }) => hearers).toSorted((a, b) => a - b)
    const sum = (some: number[]) => some.reduce((total, one) => total + one, 0)
    const littleHeardSongs = of.filter(({ hearers }) => hearers < 5)
    return {
      songs: of.length,
      plays: sum(plays),
      halfPlays: sum(plays.slice(0, Math.floor(plays.length / 2))),
      littleHeard: littleHeardSongs.length,
      littleHeardNew: littleHeardSongs.filter(({ isNew }) => isNew).length,
      neverHeard: of.filter(({ hearers }) => hearers === 0).length,
    }
  }
  const microgenreNames = [...new Set(songs.map(({ microgenre }) => microgenre))]
    .map((name) => [name, songs.filter(({ microgenre }) => microgenre === name)] as const)
    .filter(([, of]) => of.length >= 5 && of.some(({ hearers }) => hearers >= 5))
  const need = ({ songs, plays, halfPlays, littleHeard }: LongTail) => [
    halfPlays / plays,
    -littleHeard / songs,
  ]
  const microgenres = microgenreNames
    .map(([microgenre, of]) => ({ microgenre, color: of[0]?.color ?? '', ...figures(of) }))
    .toSorted((one, other) => {
      const [half = 0, littleHeardSongs = 0] = need(one).map((part, n) => part - (need(other)[n] ?? 0))
      return half || littleHeardSongs || (one.microgenre < other.microgenre ? -1 : 1)
    })
  return { microgenres, all: figures(microgenreNames.flatMap(([, of]) => of)) }
}

/** For each microgenre with figures, who has heard something of it. */
function readListenersOfShown() {
  return app.db<{ listeners: number }[]>`
    select count(distinct r.user_id)::int as listeners
    from long_tail l left join ratings r on r.microgenre_id = l.microgenre_id and r.heard_source is not null
    where l.microgenre_id <> 0 group by l.microgenre_id`
}
