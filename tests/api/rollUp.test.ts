import { expect, test } from 'vitest'
import { restartMicrogenre } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { rollUp, sweepSongDays } from '../../server/community/rollUp.ts'
import { connect } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import { type MadeMicrogenre, makeMicrogenre, rate, rateOn, writeRatings } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { scaled } from '../harness/tier.ts'

const app = setUpApp()
const ada = setUpListener(app)

test('community-5: ratings are in the totals after one roll-up, and the queue is empty', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [one = '', two = ''] = genre.songs
  await rate(ada, genre.id, one, 'banger')
  await rate(ada, genre.id, two, 'bust')
  expect(await totalsOf(genre)).toEqual([])
  await rollUp(app.db)

  expect(await totalsOf(genre)).toEqual([
    { songId: one, ratings: 1, bangers: 1, recentBangers: 1 },
    { songId: two, ratings: 1, bangers: 0, recentBangers: 0 },
  ])
  await expectRecount(app.db)
})

test('a second roll-up changes nothing', async () => {
  const before = await snapshot()
  await rollUp(app.db)

  expect(await snapshot()).toEqual(before)
})

test('the 30-day window is today and the 29 days before', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [today = '', last = '', oldest = ''] = await rateOn(ada, genre.id)
  await rateDaysAgo(ada.id, last, 29)
  await rateDaysAgo(ada.id, oldest, 30)
  await rollUp(app.db)

  const recent = new Map((await totalsOf(genre)).map((row) => [row.songId, row.recentBangers]))
  expect([recent.get(today), recent.get(last), recent.get(oldest)]).toEqual([1, 1, 0])
  await expectRecount(app.db)
})

test.each([1, 29, 30, 31])('the window moves when %i days pass', async (days) => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 6)
  const songs = await rateOn(ada, genre.id)
  await rateOn(bob, genre.id, { most: 1 })
  const ages = [0, 1, 10, 28, 29, 40]
  for (const [i, song] of songs.entries()) await rateDaysAgo(ada.id, song, ages[i] ?? 0)
  await rollUp(app.db)
  await ageAllRatings(days)

  await expectRecount(app.db)
  // A rating on the day itself counts.
  await rate(bob, genre.id, songs[5] ?? '', 'banger')
  await expectRecount(app.db)
})

test.each([1, 29, 40])(
  'a clock that was %i days ahead and is corrected does not change the totals (community-4)',
  async (days) => {
    const bob = await app.signIn()
    const genre = await makeMicrogenre(app.db, 6)
    const songs = await rateOn(ada, genre.id)
    for (const [i, song] of songs.entries()) await rateDaysAgo(ada.id, song, [0, 1, 10, 28, 29, 40][i] ?? 0)
    await rollUp(app.db)
    while (await moveStep(days));
    await rate(bob, genre.id, songs[0] ?? '', 'banger')

    await expectRecount(app.db)
  },
)

test('a rating removed after it left the window is not subtracted twice', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [one = '', two = ''] = await rateOn(ada, genre.id)
  await rollUp(app.db)
  await ageAllRatings(31)
  await rollUp(app.db)
  await ada.call(removeRating, { params: { songId: one } })
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await rate(ada, genre.id, two, 'banger')
  await rollUp(app.db)

  expect((await totalsOf(genre)).find(({ songId }) => songId === one)).toMatchObject({
    ratings: 0,
    recentBangers: 0,
  })
  expect((await totalsOf(genre)).find(({ songId }) => songId === two)).toMatchObject({
    ratings: 1,
    recentBangers: 1,
  })
  await expectRecount(app.db)
})

test('a rating queued before midnight and folded after it counts for its own day', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  await rollUp(app.db)
  await rateOn(ada, genre.id)
  await ageAllRatings(1)

  await expectRecount(app.db)
})

test('deleting an account removes its ratings from the totals', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  await rateOn(ada, genre.id)
  await rateOn(bob, genre.id, { most: 1 })
  await rollUp(app.db)
  const before = await activeUsers()
  expect((await ada.call(deleteAccount, { body: { confirmation: ada.email } })).status).toBe(200)
  await rollUp(app.db)

  expect((await totalsOf(genre)).map(({ ratings }) => ratings).sort()).toEqual([0, 0, 1])
  expect(await activeUsers()).toBe(before - 1)
  expect(await app.db`select from listener_last_days where user_id = ${ada.id}`).toHaveLength(0)
  await expectRecount(app.db)
})

test('6,000 changes in one call are folded completely', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const [song = ''] = genre.songs
  await app.db`
    with people as (
      insert into users (email) select 'batch-' || i || '@example.test' from generate_series(1, 6000) i returning id
    ), stats as (
      insert into listener_stats (user_id, total_ratings, total_bangers, genres_rated)
      select id, 1, 1, 1 from people
    ), passes as (
      insert into listener_genres (user_id, microgenre_id, ratings, bangers, done, pass_seed, pass_size, pass_position)
      select id, ${genre.id}, 1, 1, 1, 1, 1, 1 from people
    ), rated as (
      insert into ratings (user_id, song_id, microgenre_id, banger, pass, rated_at)
      select id, ${song}, ${genre.id}, true, 1, now() from people
    )
    insert into rating_changes (user_id, song_id, microgenre_id, new_banger, new_rated_at)
    select id, ${song}, ${genre.id}, true, now() from people`
  await rollUp(app.db)

  expect(await totalsOf(genre)).toEqual([{ songId: song, ratings: 6000, bangers: 6000, recentBangers: 6000 }])
  await expectRecount(app.db)
})

test('two servers that roll up at once fold each change once', async () => {
  const genre = await makeMicrogenre(app.db, 20)
  const second = connect(app.target, { max: 2 })
  try {
    for (let round = 0; round < 10; round++) {
      const ada = await app.signIn()
      await Promise.all([
        rateOn(ada, genre.id),
        ...Array.from({ length: 20 }, (_, i) => rollUp(i % 2 ? app.db : second)),
      ])
    }
  } finally {
    await second.end()
  }

  await expectRecount(app.db)
})

test('a process that freezes while it rolls up loses the lock, and the lag is the age of the oldest change', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  await rateOn(ada, genre.id)
  let thaw = () => {}
  let frozen: Promise<unknown> = Promise.resolve()
  await new Promise<void>((folded) => {
    frozen = app.db.begin('isolation level repeatable read', async (tx) => {
      await tx`select ${functions}.fold_changes(1000)`
      folded()
      await new Promise<void>((resolve) => {
        thaw = resolve
      })
    })
  })
  await rollUp(app.db)
  await expect.poll(readLag, { timeout: 10_000 }).toBeGreaterThan(1)
  await expect.poll(() => rollUp(app.db).then(() => totalsOf(genre)), { timeout: 20_000 }).toHaveLength(1)
  expect(await readLag()).toBe(0)
  thaw()

  await expect(frozen).rejects.toThrow()
  await expectRecount(app.db)
})

test('ratings, removals and deletions while the window moves are counted once, also when the clock goes back', async () => {
  const [ada, bob, eve] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 8)
  for (const listener of [ada, bob, eve]) await rateOn(listener, genre.id)
  await spreadRatings(genre.id)
  await rollUp(app.db)
  const meanwhile = [
    () => ada.call(removeRating, { params: { songId: genre.songs[0] ?? '' } }),
    () => rate(ada, genre.id, genre.songs[0] ?? '', 'banger'),
    () => rate(ada, genre.id, genre.songs[1] ?? '', 'bust'),
    () => bob.call(restartMicrogenre, { params: { id: genre.id } }),
    () => rateOn(bob, genre.id, { most: 4 }),
    () => rate(ada, genre.id, genre.songs[2] ?? '', 'bust'),
    () => eve.call(deleteAccount, { body: { confirmation: eve.email } }),
    () => bob.call(removeRating, { params: { songId: genre.songs[5] ?? '' } }),
  ]
  for (const [i, days] of [1, 1, 3, 2, 31, 30, 0, -1].entries()) {
    await moveStep(days)
    await meanwhile[i]?.()
    await moveStep(days)
    await app.db.begin('isolation level repeatable read', async (tx) => {
      await tx`select ${functions}.fold_changes(2)`
    })
    await moveStep(days)
  }

  await expectRecount(app.db)
})

test('servers that move the window at the same time subtract each song once', async () => {
  const genre = await makeMicrogenre(app.db, 12)
  await rateOn(ada, genre.id)
  await spreadRatings(genre.id)
  await rollUp(app.db)
  for (const days of [31, 0]) {
    await Promise.all(Array.from({ length: 60 }, () => moveStep(days)))
  }

  await expectRecount(app.db)
})

/** Of these the server moves at most 2,000 in one statement. */
const SONGS = scaled(4000, 10_000)
const BATCH_SIZE = 2000

test('a day of many songs leaves the totals in short statements, and goes on after one that was cancelled', async () => {
  const genre = await makeMicrogenre(app.db, SONGS)
  await writeRatings(app.db, ada.id, genre.songs, () => true)
  await rollUp(app.db)
  const before = await recentBangers()
  await ageAllRatings(30)
  const background = connect(app.target, { max: 1, lookups: true })
  try {
    await background`select set_config('statement_timeout', '1', false)`
    await expect(rollUp(background)).rejects.toThrow('statement timeout')
    await background`select set_config('statement_timeout', '0', false)`
    await background`select ${functions}.move_windows(${BATCH_SIZE})`
    expect(before - (await recentBangers())).toBeLessThanOrEqual(BATCH_SIZE)
    await rollUp(background)
  } finally {
    await background.end()
  }

  expect(before).toBeGreaterThanOrEqual(SONGS)
  expect(await recentBangers()).toBe(0)
  await expectRecount(app.db)
})

test('days older than 40 are deleted, and no total changes', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const [recent = '', kept = '', old = ''] = await rateOn(ada, genre.id)
  await rateDaysAgo(ada.id, kept, 40)
  await rateDaysAgo(ada.id, old, 41)
  await rollUp(app.db)
  const before = await totalsOf(genre)
  await sweepSongDays(app.db)

  const days = await app.db<{ songId: string }[]>`
    select song_id from song_days where song_id = any(${genre.songs}::bigint[]) and ratings > 0`
  expect(days.map(({ songId }) => songId).sort()).toEqual([recent, kept].sort())
  expect(await totalsOf(genre)).toEqual(before)
})

interface Totals {
  songId: string
  ratings: number
  bangers: number
  recentBangers: number
}

async function totalsOf(genre: MadeMicrogenre): Promise<Totals[]> {
  return [
    ...(await app.db<Totals[]>`
      select song_id, ratings, bangers, recent_bangers from song_totals
      where song_id = any(${genre.songs}::bigint[]) order by song_id`),
  ]
}

async function readLag(): Promise<number> {
  const { text } = await app.visitor().raw('/metrics')
  return Number(/^banger_roll_up_lag_seconds (\S+)$/m.exec(text)?.[1])
}

async function snapshot() {
  return {
    songs: await app.db`select * from song_totals order by song_id`.values(),
    days: await app.db`select * from song_days order by day, song_id`.values(),
    community: await app.db`select * from community_totals`.values(),
  }
}

/** One step of two songs, with the clock some days ahead. Returns whether there are more. */
async function moveStep(days: number): Promise<boolean> {
  const [row] = await app.db<{ more: boolean }[]>`
    select ${functions}.move_windows(2, (now() at time zone 'UTC')::date + ${days}::int) as more`
  return row?.more ?? false
}

/** Dates the ratings one per day, the oldest at the start of the window. */
async function spreadRatings(genre: string): Promise<void> {
  const age = app.db`(29 - song_id % 3) * interval '1 day'`
  await app.db`
    update ratings set rated_at = (rated_at at time zone 'UTC' - ${age}) at time zone 'UTC'
    where microgenre_id = ${genre}`
  await app.db`
    update rating_changes set new_rated_at = (new_rated_at at time zone 'UTC' - ${age}) at time zone 'UTC'
    where microgenre_id = ${genre}`
}

async function recentBangers(): Promise<number> {
  const [row] = await app.db<{ sum: number }[]>`select sum(recent_bangers)::int as sum from song_totals`
  return row?.sum ?? -1
}

async function activeUsers(): Promise<number> {
  const [row] = await app.db<{ activeUsers: number }[]>`select active_users from community_totals`
  return row?.activeUsers ?? -1
}

/** Moves the rating to that time: its row, and its change in the queue. */
async function rateDaysAgo(listener: string, song: string, days: number): Promise<void> {
  await app.db`
    update ratings set rated_at = (rated_at at time zone 'UTC' - ${days} * interval '1 day') at time zone 'UTC'
    where user_id = ${listener} and song_id = ${song}`
  await app.db`
    update rating_changes set new_rated_at = (new_rated_at at time zone 'UTC' - ${days} * interval '1 day') at time zone 'UTC'
    where user_id = ${listener} and song_id = ${song}`
}

/** Moves all ratings into the past, as if days had passed. */
async function ageAllRatings(days: number): Promise<void> {
  const gap = app.db`${days} * interval '1 day'`
  await app.db.begin(async (tx) => {
    await tx`update ratings set rated_at = (rated_at at time zone 'UTC' - ${gap}) at time zone 'UTC', previous_rated_at = (previous_rated_at at time zone 'UTC' - ${gap}) at time zone 'UTC'`
    await tx`update rating_changes set old_rated_at = (old_rated_at at time zone 'UTC' - ${gap}) at time zone 'UTC', new_rated_at = (new_rated_at at time zone 'UTC' - ${gap}) at time zone 'UTC'`
    await tx`update song_totals set last_banger_at = (last_banger_at at time zone 'UTC' - ${gap}) at time zone 'UTC'`
    // (day, song) is unique, so go through a day that no row has.
    await tx`update song_days set day = day - 100000`
    await tx`update song_days set day = day + 100000 - ${days}::int`
    await tx`update listener_last_days set day = day - ${days}::int`
    await tx`update community_totals set day = day - ${days}::int`
  })
}
