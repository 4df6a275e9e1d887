import { afterEach, expect, test } from 'vitest'
import type { SongChoice } from '../../contract/auth.ts'
import type { OfferedSong } from '../../contract/discovery.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { listNextSongs } from '../../server/discovery/dealtSongs.ts'
import { restartMicrogenre } from '../../server/discovery/microgenres.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { removeRating } from '../../server/library/ratings.ts'
import { updateProfile } from '../../server/profiles/profile.ts'
import { HEARD_PREVIEW, type MadeMicrogenre, makeListener, makeMicrogenre } from '../factories.ts'
import { brokenHands, type KnownTotals, passOrder, writeTotals } from '../harness/counts.ts'
import { expectRecount, setUpDatabase } from '../harness/setUpDatabase.ts'
import { scaled } from '../harness/tier.ts'

const database = setUpDatabase()
const env = readEnv({})

afterEach(async () => expect(await brokenHands(database.db)).toEqual([]))

const nextSongs = async (listener: string, genre: MadeMicrogenre) =>
  (await listNextSongs(database.db, env, listener, genre.id, 5)).map(({ id }) => id)

const rate = (
  listener: string,
  genre: MadeMicrogenre,
  songId: string,
  heard: typeof HEARD_PREVIEW | null = HEARD_PREVIEW,
) => rateSong(database.db, env, listener, { microgenreId: genre.id, songId, rating: 'banger', heard })

/** Rates up to `most` songs of the pass and returns their ids. */
async function rateOn(listener: string, genre: MadeMicrogenre, most = Number.MAX_SAFE_INTEGER) {
  const heard: string[] = []
  let [song] = await listNextSongs(database.db, env, listener, genre.id, 1)
  while (song && heard.length < most) {
    heard.push(song.id)
    const { nextSong } = await rate(listener, genre, song.id)
    song = nextSong ?? undefined
  }
  return heard
}

/**
 * The songs that the rules deal five by five from a shuffle, with reasons (discover-49, discover-50, discover-52).
 * `fairness`: the weight of exposure by the listener's choice (discover-70).
 */
function dealt(shuffle: readonly string[], totalsById: ReadonlyMap<string, KnownTotals>, fairness = 1) {
  const all = [...totalsById.values()]
  const sum = (key: keyof KnownTotals) => all.reduce((total, totals) => total + totals[key], 0)
  const mean = sum('ratings') / all.length
  const usual = (sum('bangers') + 30) / (sum('ratings') + 100)
  const judge = (id: string) => {
    const { ratings, bangers } = totalsById.get(id) ?? { ratings: 0, bangers: 0 }
    const share = (bangers + 13 * usual) / (ratings + 13)
    const doubt = 0.5 * Math.sqrt((share * (1 - share)) / (ratings + 14))
    const exposure = fairness * 0.14 * Math.max(-0.9, Math.min(0.9, Math.log((ratings + 1) / (mean + 1))))
    const isLiked = ratings >= 5 && share - usual > 0.04 && share - usual >= -exposure
    return { id, score: share + doubt - exposure, reason: isLiked ? 2 : exposure < -0.03 ? 3 : 1 }
  }
  const rest = [...shuffle]
  let hand: string[] = []
  const songs: { id: string; reason: number }[] = []
  while (rest.length + hand.length > 0) {
    const size = songs.length === 0 ? 24 : Math.min(64, hand.length + 12)
    hand.push(...rest.splice(0, Math.max(0, size + 5 - hand.length)))
    // A sort keeps the order of equals.
    const best = hand.map(judge).sort((a, b) => b.score - a.score)
    for (let n = 0; n < 5 && hand.length > 0; n++) {
      const isOldest = (songs.length + 1) % 8 === 0
      const next = isOldest ? hand[0] : best.find(({ id }) => hand.includes(id))?.id
      const chosen = best.find(({ id }) => id === next)
      if (!chosen) throw new Error('The hand is not ranked.')
      hand = hand.filter((id) => id !== chosen.id)
      songs.push({ id: chosen.id, reason: isOldest ? 1 : chosen.reason })
    }
  }
  return songs
}

// Runs before the tests that write totals, because no recount equals those.
test('discover-51: only ratings of songs that were dealt and heard count for choosing', async () => {
  const genre = await makeMicrogenre(database.db, 12)
  const listener = await makeListener(database.db)
  const [first = '', second = ''] = await nextSongs(listener, genre)
  const elsewhere = (await passOrder(database.db, listener, genre)).at(-1) ?? ''
  const readTotals = async (songId: string) => {
    await expectRecount(database.db)
    const [row] = await database.db<{ ratings: number; bangers: number }[]>`
      select dealt_ratings as ratings, dealt_bangers as bangers from song_totals where song_id = ${songId}`
    return [row?.ratings, row?.bangers]
  }
  await rate(listener, genre, first)
  await rate(listener, genre, second, null)
  await rate(listener, genre, elsewhere)
  expect([await readTotals(first), await readTotals(second), await readTotals(elsewhere)]).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
  ])
  // An undo does not turn an undealt song into a dealt one.
  await removeRating(database.db, listener, elsewhere, { undo: true })
  await rate(listener, genre, elsewhere)
  expect(await readTotals(elsewhere)).toEqual([0, 0])
  // In the next pass another rating replaces it, until it is undone.
  await restartMicrogenre(database.db, listener, genre.id)
  await rate(listener, genre, first, null)
  expect(await readTotals(first)).toEqual([0, 0])
  await removeRating(database.db, listener, first, { undo: true })
  expect(await readTotals(first)).toEqual([1, 1])
  await removeRating(database.db, listener, first, { undo: false })
  expect(await readTotals(first)).toEqual([0, 0])
})

test('discover-50: without totals songs come in shuffled order, whatever was rated in the pass', async () => {
  for (const songs of [1, 2, 5, 24, 25, 70, 150]) {
    const genre = await makeMicrogenre(database.db, songs)
    const listener = await makeListener(database.db)
    const heard = await rateOn(listener, genre, songs / 2)
    await rollUp(database.db)
    heard.push(...(await rateOn(listener, genre)))
    expect(heard).toEqual(await passOrder(database.db, listener, genre))
  }
})

test('discover-49, discover-50, discover-52, discover-64: songs are dealt as the rules say, each with its true reason', async () => {
  const genre = await makeMicrogenre(database.db, 100)
  // Liked and disliked, heard much, a little, by fewer than five and never.
  const totals = genre.songs.map((_, n) => {
    const ratings = [0, 3, 8, 20, 60, 200][(n * 7) % 6] ?? 0
    return { ratings, bangers: Math.round((ratings * ((n * 37) % 100)) / 100) }
  })
  await writeTotals(database.db, genre, totals)
  const totalsById = new Map(genre.songs.map((id, n) => [id, totals[n] ?? { ratings: 0, bangers: 0 }]))
  const reasons = new Set<number>()
  for (let round = 0; round < scaled(2, 10); round++) {
    const listener = await makeListener(database.db)
    const offered: OfferedSong[] = []
    let [song] = await listNextSongs(database.db, env, listener, genre.id, 1)
    while (song) {
      offered.push(song)
      song = (await rate(listener, genre, song.id)).nextSong ?? undefined
    }
    const rows = await database.db<{ id: string; reason: number }[]>`
      select song_id as id, dealt_reason as reason from ratings where user_id = ${listener} order by dealt_number`
    const rules = dealt(await passOrder(database.db, listener, genre), totalsById)
    expect([...rows]).toEqual(rules)
    expect(offered.map(({ id, reason }) => [id, reason])).toEqual(
      rules.map(({ id, reason }) => [id, ['', 'shuffle', 'liked', 'rare'][reason]]),
    )
    for (const { reason } of rows) reasons.add(reason)
  }
  expect([...reasons].sort()).toEqual([1, 2, 3])
})

test('discover-70: the listener chooses whether bangers come first, or songs that few have heard, or neither', async () => {
  const genre = await makeMicrogenre(database.db, 60)
  const totals = genre.songs.map((_, n) => {
    const ratings = [0, 3, 8, 20, 60, 200][(n * 7) % 6] ?? 0
    return { ratings, bangers: Math.round((ratings * ((n * 37) % 100)) / 100) }
  })
  await writeTotals(database.db, genre, totals)
  const totalsById = new Map(genre.songs.map((id, n) => [id, totals[n] ?? { ratings: 0, bangers: 0 }]))
  const firstTen = new Map<SongChoice, KnownTotals[]>()
  for (const [songChoice, fairness] of [
    ['liked', 0.4],
    ['both', 1],
    ['surprise', 1.8],
  ] as const) {
    const listener = await makeListener(database.db)
    await updateProfile(database.db, listener, { songChoice })
    const heard = await rateOn(listener, genre)
    const rules = dealt(await passOrder(database.db, listener, genre), totalsById, fairness)
    expect(heard).toEqual(rules.map(({ id }) => id))
    firstTen.set(
      songChoice,
      heard.slice(0, 10).flatMap((id) => totalsById.get(id) ?? []),
    )
  }
  const plays = (choice: SongChoice) =>
    firstTen.get(choice)?.reduce((sum, each) => sum + each.ratings, 0) ?? 0
  expect(plays('liked')).toBeGreaterThan(plays('surprise'))

  const listener = await makeListener(database.db)
  await updateProfile(database.db, listener, { songChoice: 'shuffle' })
  expect(await rateOn(listener, genre)).toEqual(await passOrder(database.db, listener, genre))
  const [reasons] = await database.db<{ all: number[] }[]>`
    select coalesce(array_agg(distinct dealt_reason), '{}') as all from ratings where user_id = ${listener}`
  expect(reasons?.all).toEqual([1])
})

test('discover-70: a changed choice applies from the next deal', async () => {
  const genre = await makeMicrogenre(database.db, 40)
  const listener = await makeListener(database.db)
  await updateProfile(database.db, listener, { songChoice: 'shuffle' })
  const prefetchedIds = await nextSongs(listener, genre)
  await writeTotals(
    database.db,
    genre,
    genre.songs.map((_, n) => ({ ratings: 50, bangers: n })),
  )
  await updateProfile(database.db, listener, { songChoice: 'liked' })
  const heard = await rateOn(listener, genre)
  expect(heard.slice(0, 5)).toEqual(prefetchedIds)
  expect(heard).not.toEqual(await passOrder(database.db, listener, genre))
})

test('discover-49: new ratings do not change dealt songs', async () => {
  const genre = await makeMicrogenre(database.db, 40)
  const listener = await makeListener(database.db)
  const prefetchedIds = await nextSongs(listener, genre)
  await writeTotals(
    database.db,
    genre,
    genre.songs.map((id) =>
      prefetchedIds.includes(id) ? { ratings: 500, bangers: 0 } : { ratings: 9, bangers: 9 },
    ),
  )
  expect(await nextSongs(listener, genre)).toEqual(prefetchedIds)
  expect((await rateOn(listener, genre)).slice(0, 5)).toEqual(prefetchedIds)
})

test('discover-49: a song rated before it was dealt returns to its place, whatever else returns', async () => {
  const genre = await makeMicrogenre(database.db, 8)
  const listener = await makeListener(database.db)
  await nextSongs(listener, genre)
  await restartMicrogenre(database.db, listener, genre.id)
  const order = await passOrder(database.db, listener, genre)
  const [a = '', b = '', , d = ''] = order
  const undo = (song: string) => removeRating(database.db, listener, song, { undo: true })
  // Another tab rates a song of the last pass before the first of the new one is dealt.
  await rate(listener, genre, b)

  for (const song of [a, d]) await rate(listener, genre, song)
  await undo(b)
  await rate(listener, genre, b)
  for (const song of [d, a, b]) await undo(song)
  expect(await nextSongs(listener, genre)).toEqual(order.slice(0, 5))
  expect(await rateOn(listener, genre)).toEqual(order)
})

test('discover-50: impossible totals stop nobody', async () => {
  const genre = await makeMicrogenre(database.db, 12)
  const odd = [-1, -2147483648, 2147483647, 0]
  await writeTotals(
    database.db,
    genre,
    genre.songs.map((_, n) => ({ ratings: odd[n % 4] ?? 0, bangers: odd[(n + 1 + (n >> 2)) % 4] ?? 0 })),
  )
  const listener = await makeListener(database.db)
  expect((await rateOn(listener, genre)).sort()).toEqual([...genre.songs].sort())
})

test('discover-49: a pass from before hands existed continues where it was', async () => {
  const genre = await makeMicrogenre(database.db, 30)
  const listener = await makeListener(database.db)
  await database.db`
    insert into listener_genres (user_id, microgenre_id, pass_seed, pass_size) values (${listener}, ${genre.id}, 7, 30)`
  const shuffle = await passOrder(database.db, listener, genre)
  for (const song of shuffle.slice(0, 10)) await rate(listener, genre, song)
  // As an older server left it.
  await database.db`
    update listener_genres set pass_position = 10, ahead = '{}', ahead_numbers = '{}', ahead_reasons = '{}'
    where user_id = ${listener}`
  await database.db`delete from listener_hands where user_id = ${listener}`
  await database.db`update ratings set dealt_number = null, dealt_reason = null where user_id = ${listener}`

  expect(await nextSongs(listener, genre)).toEqual(shuffle.slice(10, 15))
  await removeRating(database.db, listener, shuffle[9] ?? '', { undo: true })
  await removeRating(database.db, listener, shuffle[4] ?? '', { undo: false })
  expect(await rateOn(listener, genre)).toEqual([shuffle[4], shuffle[9], ...shuffle.slice(10)])
})
