import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  deferSong,
  getSongExplanation,
  leanTowards,
  rateAndAdvance,
  stopLeaning,
} from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { connect } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import { listNextSongs } from '../../server/discovery/dealtSongs.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import {
  HEARD_PREVIEW,
  type MadeMicrogenre,
  makeListener,
  makeMicrogenre,
  nextSong,
  prefetchSongs,
  rate,
} from '../factories.ts'
import { brokenHands, writeTotals } from '../harness/counts.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { exceptOnCluster, setUpDatabase } from '../harness/setUpDatabase.ts'
import { SEED, scaled } from '../harness/tier.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()

const notNow = async (listener: Visitor, genre: MadeMicrogenre, songId: string, again = false) =>
  (await listener.call(deferSong, { body: { microgenreId: genre.id, songId, again } })).body.nextSong

test('discover-64: every response with a song has its reason, undo restores it, and deferred songs say so', async () => {
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
  const reasonBySong = new Map<string, string>()
  const deferredSongs: string[] = []
  for (;;) {
    const songs = await prefetchSongs(ada, genre.id)
    const [song, next] = songs
    if (!song || song.putOff) break
    for (const { id, reason } of songs) {
      if (reason === 'put-off') continue
      expect(reasonBySong.get(id) ?? reason).toBe(reason)
      reasonBySong.set(id, reason)
    }
    expect(await nextSong(ada, genre.id)).toEqual(song)
    if (reasonBySong.size % 2 === 0 && deferredSongs.length < 3) {
      deferredSongs.push(song.id)
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
  expect(Object.fromEntries(reasonBySong)).toEqual(
    Object.fromEntries(stored.map(({ id, reason }) => [id, words[reason]])),
  )
  expect(new Set(reasonBySong.values())).toEqual(new Set(['shuffle', 'liked', 'rare']))
  expect((await prefetchSongs(ada, genre.id)).map(({ id, reason }) => [id, reason])).toEqual(
    deferredSongs.map((id) => [id, 'put-off']),
  )
  expect(await notNow(ada, genre, deferredSongs[0] ?? '', true)).toMatchObject({
    id: deferredSongs[1],
    reason: 'put-off',
  })
})

test('discover-64: a song that returns without having been dealt comes from the shuffle', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  const [song = ''] = genre.songs
  const { body } = await rate(ada, genre.id, song)
  await prefetchSongs(ada, genre.id)
  await ada.call(removeRating, { params: { songId: song }, query: { undo: 'true', ratedAt: body.ratedAt } })
  expect((await prefetchSongs(ada, genre.id)).map(({ reason }) => reason)).toEqual([
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

test('discover-91: the songs to come lean towards a banger and say so, until undo, and a repeat changes nothing', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 60)
  const productOf = await plantTraits(ada, [genre])
  const rateNext = async (rating: 'banger' | 'bust') => {
    const song = await nextSong(ada, genre.id)
    const body = { microgenreId: genre.id, songId: song?.id ?? '', rating, heard: HEARD_PREVIEW }
    return { id: body.songId, canLean: (await ada.call(rateAndAdvance, { body })).body.canLean }
  }
  const lean = async (listener: Visitor, id: string) =>
    (await listener.call(leanTowards, { params: { id } })).status
  const [bust, banger] = [await rateNext('bust'), await rateNext('banger')]
  expect([bust.canLean, banger.canLean]).toEqual([false, true])
  expect(await lean(ada, bust.id)).toBe(409)
  expect(await lean(bob, banger.id)).toBe(409)
  expect(await lean(ada, '999999999')).toBe(404)

  const undo = () => ada.call(stopLeaning, { params: { id: banger.id } })
  // Dealt anew without a taste.
  await app.db`update listener_stats set t1 = 0, t2 = 0, t3 = 0, t4 = 0 where user_id = ${ada.id}`
  await lean(ada, banger.id)
  expect((await undo()).status).toBe(200)
  const before = await prefetchSongs(ada, genre.id)
  expect(await lean(ada, banger.id)).toBe(200)
  const after = await prefetchSongs(ada, genre.id)
  expect(after[0]).toEqual(before[0])
  // Taste counts up to 0.25.
  const most = (3 + productOf(banger.id, banger.id)) / 4
  const likeness = (songs: typeof after) =>
    songs.slice(1).reduce((sum, { id }) => sum + Math.min(most, productOf(id, banger.id)), 0)
  expect(likeness(after)).toBeGreaterThan(likeness(before))
  const more = after.filter(({ reason }) => reason === 'more-like')
  expect(more.length).toBeGreaterThan(1)
  const [asked] = await app.db`select title, artist from songs where id = ${banger.id}`
  for (const { id } of more)
    expect((await ada.call(getSongExplanation, { params: { id } })).body).toEqual({
      bangers: [],
      moreLike: asked,
    })
  expect(await lean(ada, banger.id)).toBe(200)
  expect(await prefetchSongs(ada, genre.id)).toEqual(after)

  await undo()
  const undone = await prefetchSongs(ada, genre.id)
  expect(undone[0]).toEqual(before[0])
  expect(undone.filter(({ reason }) => reason === 'more-like')).toEqual([])
  await undo()
  expect(await prefetchSongs(ada, genre.id)).toEqual(undone)
  const broken = (await brokenHands(app.db)).filter(({ userId }) => userId === ada.id)
  expect(broken).toEqual([])

  // Without its banger nothing leans.
  await lean(ada, banger.id)
  await ada.call(removeRating, { params: { songId: banger.id }, query: {} })
  expect(await prefetchSongs(ada, genre.id)).not.toContainEqual(
    expect.objectContaining({ reason: 'more-like' }),
  )

  await app.db`update listener_stats set song_choice = 'shuffle' where user_id = ${ada.id}`
  expect((await rateNext('banger')).canLean).toBe(false)
  expect(await lean(ada, banger.id)).toBe(409)
})

test('discover-65: the bangers behind a song are those with the largest weight, without unheard, busted or undealt ones', async () => {
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
      const [song] = await prefetchSongs(ada, genre.id)
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

      const [rating, heard] = [n % 3 === 1 ? 'bust' : 'banger', n % 4 === 3 ? null : HEARD_PREVIEW] as const
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
        body: { microgenreId: genre.id, songId: undealt.id, rating: 'banger', heard: HEARD_PREVIEW },
      })
  }
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts[2]).toBeGreaterThan(10)
})

test('discover-65: an unknown song has no bangers behind it', async () => {
  const ada = await app.signIn()
  const { status, body } = await ada.call(getSongExplanation, { params: { id: '999999999' } })
  expect({ status, body }).toEqual({ status: 404, body: { message: 'There is no such song.' } })
})

describe('the order of songs', () => {
  const database = setUpDatabase()
  const SEEDS = [0, 12345, 2_147_483_646]
  const SIZES = [...Array.from({ length: 70 }, (_, n) => n + 1), 255, 256, 257, 1023, 4096, 5003]

  test('the order is a permutation for every size from 1 to 70 and larger ones, and its inverse undoes it', async () => {
    const wrong = await database.db`
    select seed, size from unnest(${SEEDS}::int[]) seed, unnest(${SIZES}::int[]) size
    where (select count(distinct ${functions}.permute(seed, place, size)) <> size
                  or min(${functions}.permute(seed, place, size)) <> 0
                  or max(${functions}.permute(seed, place, size)) <> size - 1
                  or not bool_and(${functions}.permute(seed, ${functions}.permute(seed, place, size), size, true) = place)
                  or not bool_and(${functions}.permute(seed, ${functions}.permute(seed, place, size, true), size) = place)
           from generate_series(0, size - 1) place)`

    expect([...wrong]).toEqual([])
  })

  test('any seed, size and place give a valid place, and the inverse undoes it', async () => {
    const cases = fc.sample(
      fc.integer({ min: 1, max: 2_147_483_647 }).chain((size) =>
        fc.record({
          seed: fc.integer({ min: 0, max: 2_147_483_647 }),
          size: fc.constant(size),
          place: fc.integer({ min: 0, max: size - 1 }),
        }),
      ),
      { seed: SEED, numRuns: scaled(50, 500) },
    )
    const rows = await database.db<{ at: number; back: number; size: number; place: number }[]>`
    select ${functions}.permute(seed, place, size) as at, ${functions}.permute(seed, ${functions}.permute(seed, place, size), size, true) as back, size, place
    from jsonb_to_recordset(${database.db.json(cases)}) as c (seed int, size int, place int)`

    expect(rows.filter(({ at, size }) => at < 0 || at >= size)).toEqual([])
    expect(rows.filter(({ back, place }) => back !== place)).toEqual([])
  })

  test('different seeds give different orders', async () => {
    const [row] = await database.db<{ orders: number }[]>`
    select count(distinct list)::int as orders
    from (select array_agg(${functions}.permute(seed * 7919, place, 12) order by place) as list
          from generate_series(1, 200) seed, generate_series(0, 11) place group by seed) as orders`

    expect(row?.orders).toBeGreaterThan(195)
  })

  test('every song is about equally likely to be first, and to follow any other', async () => {
    const firsts = await database.db<{ song: number; times: number }[]>`
    select ${functions}.permute(seed * 104729, 0, 20) as song, count(*)::int as times
    from generate_series(1, 8000) seed group by 1`
    const pairs = await database.db<{ times: number }[]>`
    select count(*)::int as times from generate_series(1, 8000) seed
    group by ${functions}.permute(seed * 104729, 3, 8), ${functions}.permute(seed * 104729, 4, 8)`

    // Expected: 400 for each song, 143 for each pair.
    expect(firsts).toHaveLength(20)
    expect(Math.min(...firsts.map(({ times }) => times))).toBeGreaterThan(300)
    expect(Math.max(...firsts.map(({ times }) => times))).toBeLessThan(500)
    expect(pairs).toHaveLength(56)
    expect(Math.min(...pairs.map(({ times }) => times))).toBeGreaterThan(70)
    expect(Math.max(...pairs.map(({ times }) => times))).toBeLessThan(260)
  })

  test('songs added after the pass began follow in the order they were added', async () => {
    const rows = await database.db`
    select ${functions}.song_at_place(5, 10, place) as song, ${functions}.place_of_song(5, 10, place) as place
    from generate_series(10, 14) place`

    expect(rows.map((row) => ({ ...row }))).toEqual([10, 11, 12, 13, 14].map((i) => ({ song: i, place: i })))
  })

  exceptOnCluster('there the parts of the table count reads')(
    'the next song takes an index lookup, whatever the size of the microgenre and however often it is called',
    async () => {
      const genre = await makeMicrogenre(database.db, 5000)
      const listener = await makeListener(database.db)
      const env = readEnv({})
      const alone = connect(database.target, { max: 1 })
      try {
        await alone`analyze songs`
        await alone`begin`
        // From the sixth call on PostgreSQL may switch to a generic plan.
        for (let n = 0; n < 10; n++) {
          const [song] = await listNextSongs(alone, env, listener, genre.id, 5)
          const body = { microgenreId: genre.id, songId: song?.id ?? '', rating: 'banger' as const }
          await rateSong(alone, env, listener, body)
        }
        const [row] = await alone<{ scanned: number; looked: number }[]>`
      select seq_tup_read::int as scanned, idx_tup_fetch::int as looked from pg_stat_xact_user_tables
      where relname = 'songs'`

        expect(row?.scanned).toBe(0)
        expect(row?.looked).toBeGreaterThan(0)
        expect(row?.looked).toBeLessThan(10 * 40)
      } finally {
        await alone`rollback`
        await alone.end({ timeout: 5 })
      }
    },
  )
})
