import { expect, test } from 'vitest'
import { restartMicrogenre } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import { makeMicrogenre, rate, rateOn, writeRatings } from '../factories.ts'
import { expectRecount } from '../harness/recount.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { scaled } from '../harness/tier.ts'

const app = setUpApp()

test('ratings, removals and deletions while the window moves are counted once, also when the clock goes back', async () => {
  const [ada, bob, eve] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 8)
  for (const listener of [ada, bob, eve]) await rateOn(listener, genre.id)
  await spreadRatings(app.db, genre.id)
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
    await moveStep(app.db, days)
    await meanwhile[i]?.()
    await moveStep(app.db, days)
    await app.db.begin('isolation level repeatable read', async (tx) => {
      await tx`select ${functions}.fold_changes(2)`
    })
    await moveStep(app.db, days)
  }

  await expectRecount(app.db)
})

test('servers that move the window at the same time subtract each song once', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 12)
  await rateOn(ada, genre.id)
  await spreadRatings(app.db, genre.id)
  await rollUp(app.db)
  for (const days of [31, 0]) {
    await Promise.all(Array.from({ length: 60 }, () => moveStep(app.db, days)))
  }

  await expectRecount(app.db)
})

/** Of these the server moves at most 2,000 in one statement. */
const SONGS = scaled(4000, 10_000)
const STEP = 2000

test('a day of many songs leaves the totals in short statements, and goes on after one that was cancelled', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, SONGS)
  await writeRatings(app.db, ada.id, genre.songs, () => true)
  await rollUp(app.db)
  const before = await recentBangers()
  await passDays(app.db, 30)
  const background = connect(app.target, { max: 1, lookups: true })
  try {
    await background`select set_config('statement_timeout', '1', false)`
    await expect(rollUp(background)).rejects.toThrow('statement timeout')
    await background`select set_config('statement_timeout', '0', false)`
    await background`select ${functions}.move_windows(${STEP})`
    expect(before - (await recentBangers())).toBeLessThanOrEqual(STEP)
    await rollUp(background)
  } finally {
    await background.end()
  }

  expect(before).toBeGreaterThanOrEqual(SONGS)
  expect(await recentBangers()).toBe(0)
  await expectRecount(app.db)
})

/** Dates the ratings one per day, the oldest at the start of the window. */
async function spreadRatings(db: Database, genre: string): Promise<void> {
  await db`
    update ratings set rated_at = (rated_at at time zone 'UTC' - (29 - song_id % 3) * interval '1 day') at time zone 'UTC' where microgenre_id = ${genre}`
  await db`
    update rating_changes set new_rated_at = (new_rated_at at time zone 'UTC' - (29 - song_id % 3) * interval '1 day') at time zone 'UTC'
    where microgenre_id = ${genre}`
}

/** One step of two songs, with the clock some days ahead. */
async function moveStep(db: Database, days: number): Promise<void> {
  await db`select ${functions}.move_windows(2, (now() at time zone 'UTC')::date + ${days}::int)`
}

async function recentBangers(): Promise<number> {
  const [row] = await app.db<{ sum: number }[]>`select sum(recent_bangers)::int as sum from song_totals`
  return row?.sum ?? -1
}

async function passDays(db: Database, days: number): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = '60s'`
    await tx`update ratings set rated_at = (rated_at at time zone 'UTC' - ${days} * interval '1 day') at time zone 'UTC'`
    await tx`update song_totals set last_banger_at = (last_banger_at at time zone 'UTC' - ${days} * interval '1 day') at time zone 'UTC'`
    await tx`update song_days set day = day - ${days}::int`
    await tx`update listener_last_days set day = day - ${days}::int`
    await tx`update community_totals set day = day - ${days}::int`
  })
}
