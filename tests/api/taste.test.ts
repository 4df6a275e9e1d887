import os from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import { listNextSongs } from '../../server/discovery/dealtSongs.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { applyImport, revertImport } from '../../server/imports/applyImport.ts'
import { isHeldOut, readSample, songOf } from '../../server/taste/heardRatings.ts'
import { isLearningDue } from '../../server/taste/learnNightly.ts'
import { learnTaste } from '../../server/taste/learnTaste.ts'
import { HEARD_PREVIEW, makeImport, makeListener, makeMicrogenre } from '../factories.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { type SeededTastes, seedTastes, tasteOf, writeHeardRatings } from '../harness/seedTastes.ts'
import { exceptOnCluster, setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startProgram } from '../harness/startProgram.ts'
import { withConnection } from '../harness/testCluster.ts'

const database = setUpDatabase()
const env = readEnv({})

let seeded: SeededTastes
beforeAll(async () => {
  seeded = await seedTastes(database.db)
})
const line = setUpService(() => startDatabaseProxy(database.target))

/** On its own connection, like the program. */
const learn = (options?: { maxRatings: number }) =>
  withConnection(database.target, (db) => learnTaste(db, options))

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** With other seeds a run changes tastes of 0.1 to 0.3 by 0.01 to 0.08 on average. */
const meanChange = (before: readonly number[], after: readonly number[]) =>
  mean(after.map((taste, at) => Math.abs(taste - (before[at] ?? 0))))

/** The runs with stored traits, and the number of listeners with a taste from each. */
const runsOf = async (db: Database) => ({
  traits: (await db<{ run: number }[]>`select distinct run from song_traits order by run`).map(
    ({ run }) => run,
  ),
  tastes: [
    ...(await db<{ run: number; listeners: number }[]>`
      select coalesce(taste_run, 0) as run, count(*)::int as listeners from listener_stats
      where user_id = any(${seeded.listeners}::bigint[]) group by 1 order by 1`),
  ],
})

test('discover-61: before the first run a rating moves no taste', async () => {
  const genre = await makeMicrogenre(database.db, 2)
  const listener = await makeListener(database.db)
  const [song] = await listNextSongs(database.db, env, listener, genre.id, 1)
  await rateSong(database.db, env, listener, {
    microgenreId: genre.id,
    songId: song?.id ?? '',
    rating: 'banger',
    heard: HEARD_PREVIEW,
  })
  const [stats] = await database.db`
    select taste_run, t1, t2, t3, t4, lenience from listener_stats where user_id = ${listener}`
  expect(stats).toEqual({ tasteRun: null, t1: 0, t2: 0, t3: 0, t4: 0, lenience: 0 })
})

test('discover-60, discover-62: seeded tastes are learned, and predict ratings outside of the training data', async () => {
  const run = await learn()
  expect(run).toMatchObject({ outcome: 'in place', ratings: 12_001, listeners: 401, lastLoss: null })
  // Nothing can be better than 0.18. With other seeds the error is 0.24 to 0.26 without tastes, 0.19 to 0.22 with them.
  expect(run?.plainLoss).toBeGreaterThan(0.23)
  expect(run?.loss).toBeLessThan((run?.plainLoss ?? 0) * 0.92)

  let right = 0
  for (const [place, listener] of seeded.listeners.entries()) {
    const tastes = await tasteOf(database.db, listener, seeded.songs)
    const [own, others] = [0, 1].map((side) => mean(tastes.filter((_, at) => (at + place) % 2 === side)))
    if ((own ?? 0) > (others ?? 0) + 0.1) right++
  }
  expect(right).toBeGreaterThan(seeded.listeners.length * 0.95)
})

test('discover-60: a second run continues from the first, and replaces its traits', async () => {
  const before = await tasteOf(database.db, seeded.listeners[0] ?? '', seeded.songs)
  const run = await learn()
  expect(run).toMatchObject({ outcome: 'in place' })
  expect(run?.loss).toBeLessThan((run?.lastLoss ?? 0) * 1.01)
  const after = await tasteOf(database.db, seeded.listeners[0] ?? '', seeded.songs)
  expect(meanChange(before, after)).toBeLessThan(0.1)
  expect(await runsOf(database.db)).toEqual({
    traits: [expect.any(Number)],
    tastes: [{ run: expect.any(Number), listeners: seeded.listeners.length }],
  })
})

test('discover-50, discover-52, discover-60: a hand is ranked by the taste, each with its true reason', async () => {
  const reasons = new Set<number>()
  for (const [place, listener] of seeded.listeners.slice(0, 17).entries()) {
    // Half of them have rated enough that exposure weighs more.
    const [count, weight] = place % 2 === 0 ? [39, 0.14] : [40, 0.25]
    await database.db`update listener_stats set total_ratings = ${count} where user_id = ${listener}`
    const tastes = await tasteOf(database.db, listener, seeded.songs)
    for (const { id, songs } of seeded.genres) {
      const totals = await database.db<{ ratings: number; bangers: number }[]>`
        select dealt_ratings as ratings, dealt_bangers as bangers from unnest(${songs}::bigint[]) with ordinality as g (id, n)
        join song_totals t on t.song_id = g.id order by n`
      const sum = (key: 'ratings' | 'bangers') => totals.reduce((all, each) => all + each[key], 0)
      const usual = (sum('bangers') + 30) / (sum('ratings') + 100)
      const ranked = await database.db<{ songId: string; score: number; reason: number }[]>`
        select ranked.song_id, ranked.score, ranked.reason from listener_stats u
        cross join lateral ${functions}.rank_cards(${id}, ${songs}::bigint[], u.song_choice, u.total_ratings, u.taste_run,
          u.t1, u.t2, u.t3, u.t4) as ranked
        where u.user_id = ${listener} order by ranked.place`
      for (const [at, { songId, score, reason }] of ranked.entries()) {
        const { ratings, bangers } = totals[at] ?? { ratings: 0, bangers: 0 }
        const share = (bangers + 13 * usual) / (ratings + 13)
        const doubt = 0.5 * Math.sqrt((share * (1 - share)) / (ratings + 14))
        const over = Math.log((ratings + 1) / (sum('ratings') / songs.length + 1))
        const exposure = weight * Math.max(-0.9, Math.min(0.9, over))
        const product = tastes[seeded.songs.indexOf(songId)] ?? 0
        const taste = Math.max(-0.25, Math.min(0.25, product))
        expect(score).toBeCloseTo(share + doubt + taste - exposure, 5)
        const isLiked = ratings >= 5 && share - usual > 0.04 && share - usual >= -exposure
        const fits = taste > 0.04 && taste >= share - usual && taste >= -exposure
        expect(reason).toBe(fits ? 4 : isLiked ? 2 : exposure < -0.03 ? 3 : 1)
        reasons.add(reason)
      }
    }
  }
  expect(reasons).toContain(4)
})

test('discover-61: a heard rating of a dealt song moves the taste one step at once; others do not', async () => {
  const { db } = database
  const [genre] = seeded.genres
  if (!genre) throw new Error('Nothing was planted.')
  const listener = await makeListener(db)
  const rateNext = async (heard: typeof HEARD_PREVIEW | null) => {
    const [song] = await listNextSongs(db, env, listener, genre.id, 1)
    const songId = song?.id ?? ''
    const before = mean(await tasteOf(db, listener, [songId]))
    await rateSong(db, env, listener, { microgenreId: genre.id, songId, rating: 'banger', heard })
    return mean(await tasteOf(db, listener, [songId])) - before
  }
  expect(await rateNext(null)).toBe(0)
  const undealt = genre.songs.at(-1) ?? ''
  await db`update listener_genres set ahead = '{}', ahead_numbers = '{}', ahead_reasons = '{}' where user_id = ${listener}`
  await rateSong(db, env, listener, {
    microgenreId: genre.id,
    songId: undealt,
    rating: 'banger',
    heard: HEARD_PREVIEW,
  })
  expect(mean(await tasteOf(db, listener, [undealt]))).toBe(0)
  expect(await rateNext(HEARD_PREVIEW)).toBeGreaterThan(0)
  expect(await rateNext(HEARD_PREVIEW)).toBeGreaterThan(0)
})

test('discover-60: a listener who bangs everything is lenient and has no taste; a fan of one artist affects nobody else', async () => {
  const { db } = database
  const other = seeded.listeners[0] ?? ''
  const before = await tasteOf(db, other, seeded.songs)
  const [lenient, fan] = [await makeListener(db), await makeListener(db)]
  // The fan's artist has the first three songs.
  await writeHeardRatings(db, [
    ...seeded.songs.map((song): [string, string, boolean] => [lenient, song, true]),
    ...seeded.songs.map((song, at): [string, string, boolean] => [fan, song, at < 3]),
  ])
  expect(await learn()).toMatchObject({ outcome: 'in place' })

  for (const taste of await tasteOf(db, lenient, seeded.songs)) expect(Math.abs(taste)).toBeLessThan(0.1)
  const [row] = await db<
    { lenience: number }[]
  >`select lenience from listener_stats where user_id = ${lenient}`
  expect(row?.lenience).toBeGreaterThan(0.4)
  const after = await tasteOf(db, other, seeded.songs)
  expect(meanChange(before, after)).toBeLessThan(0.1)
})

test('discover-62: a run that predicts worse is detected and not used', async () => {
  const { db } = database
  const before = await runsOf(db)
  // The training ratings are inverted; the held-out ratings stay.
  const ratings = await db<{ userId: string; songId: string }[]>`
    select user_id, song_id from ratings where user_id = any(${seeded.listeners}::bigint[])`
  const poisoned = ratings.filter(({ userId, songId }) => !isHeldOut(Number(userId), Number(songId)))
  const turn = () => db`
    update ratings r set banger = not r.banger
    from unnest(${poisoned.map(({ userId }) => userId)}::bigint[], ${poisoned.map(({ songId }) => songId)}::bigint[])
      as given (listener, song)
    where r.user_id = given.listener and r.song_id = given.song`
  await turn()
  const run = await learn()
  await turn()

  expect(run).toMatchObject({ outcome: 'refused' })
  expect(run?.loss).toBeGreaterThan(run?.plainLoss ?? 1)
  expect(await runsOf(db)).toEqual(before)
  expect(await learn()).toMatchObject({ outcome: 'in place' })
})

test('discover-63: of two learners at once, one learns', async () => {
  const runs = await Promise.all([learn(), learn()])
  const finishedRuns = runs.filter((run) => run !== null)
  expect(finishedRuns).toMatchObject([{ outcome: 'in place' }])
})

exceptOnCluster('it waits on a worker, where this test does not look')(
  'discover-60, discover-63: a killed learner leaves consistent tastes, and the next run completes them',
  async () => {
    const { db } = database
    const last = seeded.listeners.at(-1) ?? ''
    const { child, programEnd } = startProgram('learn', [], {
      env: { DATABASE_URL: line.target },
      folder: os.tmpdir(),
    })
    const killed = db.begin(async (tx) => {
      await tx`select from listener_stats where user_id = ${last} for update`
      // It waits for this listener's rating while it writes the tastes.
      const waiting = () => db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1)
      child.kill('SIGKILL')
      await programEnd
    })
    await killed
    const { traits, tastes } = await runsOf(db)
    expect(traits).toHaveLength(1)
    expect(tastes.map(({ run }) => run)).toEqual(traits)
    const [listener] = seeded.listeners
    expect(mean((await tasteOf(db, listener ?? '', seeded.songs)).map(Math.abs))).toBeGreaterThan(0.05)
    expect(mean((await tasteOf(db, last, seeded.songs)).map(Math.abs))).toBeGreaterThan(0.05)

    // The lock ends with its session, which the database ends when it notices.
    await expect.poll(() => learn()).toMatchObject({ outcome: 'in place' })
    expect(await runsOf(db)).toMatchObject({ traits: [expect.any(Number)], tastes: [{ listeners: 400 }] })
  },
)

test('discover-60: of more ratings than memory allows, whole listeners are learned from', async () => {
  const { db } = database
  const [busy = ''] = seeded.listeners
  const many = await makeMicrogenre(db, 310)
  await writeHeardRatings(
    db,
    many.songs.map((song) => [busy, song, true]),
  )
  await db.begin(async (tx) => {
    const { songs, marks, starts, listeners } = await readSample(tx, 6000)
    expect(marks.length).toBeLessThanOrEqual(6000)
    expect(listeners.length).toBeGreaterThan(130)
    expect(listeners.length).toBeLessThan(270)
    const counts = Array.from(listeners, (_, at) => (starts[at + 1] ?? 0) - (starts[at] ?? 0))
    expect(counts.filter((count) => count < 30).length).toBeLessThan(3)

    const all = await readSample(tx, 100_000)
    const at = all.listeners.indexOf(Number(busy))
    const read = Array.from(all.marks.subarray(all.starts[at], all.starts[at + 1]), (mark) =>
      String(songs.ids[songOf(mark)]),
    )
    const newest = await tx<{ songId: string }[]>`
      select song_id from ratings where user_id = ${busy} order by rated_at desc limit 300`
    expect(read.sort()).toEqual(newest.map(({ songId }) => songId).sort())
  })
  expect(await learn({ maxRatings: 300 })).toMatchObject({ outcome: 'too few' })
})

test('discover-60: who has rated since the last run, or has no taste, gets a new one; the others keep theirs', async () => {
  const { db } = database
  const [idle = '', active = '', other = '', without = ''] = seeded.listeners.slice(10)
  const marked = [idle, active, other, without]
  await db`update listener_stats set t1 = 3.5 where user_id = any(${marked}::bigint[])`
  // The version before gave this one a taste, whose traits are gone.
  await db`update listener_stats set taste_run = taste_run + 100 where user_id = ${other}`
  await db`update listener_stats set taste_run = null where user_id = ${without}`
  await db`
    update listener_last_days set day = day - 20 where user_id in (${idle}, ${other}, ${without})`
  expect(await learn()).toMatchObject({ outcome: 'in place' })
  const tastes = await db<{ t1: number }[]>`
    select t1 from listener_stats where user_id = any(${marked}::bigint[]) order by user_id`
  expect(tastes.map(({ t1 }) => t1 === 3.5)).toEqual([true, false, false, false])
  expect((await runsOf(db)).tastes).toHaveLength(1)
})

test('discover-60: nothing but bounded numbers is stored, and ratings keep them bounded', async () => {
  const { db } = database
  const genre = await makeMicrogenre(db, 12)
  for (const bad of ['NaN', 'Infinity', '-Infinity', '4.1'])
    await expect(
      db`insert into song_traits values (${genre.songs[0] ?? ''}, 1, 0.5, ${bad}::real, 0, 0, 0)`,
    ).rejects.toThrow(/song_traits_bounded/)
  const listener = await makeListener(db)
  const [{ run } = { run: 0 }] = await db<{ run: number }[]>`select max(run) as run from song_traits`
  await db`
    insert into song_traits select id, ${run}, 0.5, 4, -4, 4, -4 from songs where microgenre_id = ${genre.id}`
  await db`update listener_stats set taste_run = ${run}, t1 = 4, t2 = 4, t3 = -4, t4 = -4 where user_id = ${listener}`
  for (let n = 0; n < 12; n++) {
    const [song] = await listNextSongs(db, env, listener, genre.id, 1)
    const rated = {
      microgenreId: genre.id,
      songId: song?.id ?? '',
      rating: 'banger',
      heard: HEARD_PREVIEW,
    } as const
    await rateSong(db, env, listener, rated)
  }
  const [stats] = await db<{ most: number }[]>`
    select greatest(abs(t1), abs(t2), abs(t3), abs(t4), abs(lenience)) as most from listener_stats
    where user_id = ${listener}`
  expect(stats?.most).toBeLessThanOrEqual(4)
})

test('imports-25: a missing taste begins with the songs of an import, and stays until 40 heard ratings', async () => {
  const { db } = database
  const listener = await makeListener(db)
  const [played, others] = [0, 1].map((rest) => seeded.songs.filter((_, at) => at % 2 === rest)) as [
    string[],
    string[],
  ]
  const readTaste = async () =>
    (await db`select taste_run, t1, t2, t3, t4 from listener_stats where user_id = ${listener}`)[0]
  const songs = played.slice(0, 15).map((songId) => ({ songId, verdict: null, plays: 3 }))
  const importId = await makeImport(db, listener, songs)
  await applyImport(db, importId, { bangers: true, busts: true, plays: true })
  const begun = await readTaste()
  const rest = mean(await tasteOf(db, listener, played.slice(15)))
  expect(rest).toBeGreaterThan(mean(await tasteOf(db, listener, others)) + 0.05)

  await writeHeardRatings(db, [[listener, others[0] ?? '', true]])
  expect(await learn()).toMatchObject({ outcome: 'in place' })
  expect(await readTaste()).toEqual(begun)
  await db`update imports set status = 'reverting' where id = ${importId}`
  await revertImport(db, importId)
  expect(await readTaste()).toEqual({ tasteRun: null, t1: 0, t2: 0, t3: 0, t4: 0 })
})

test('discover-63: tastes are learned once a day, and again an hour after a run that did not end', async () => {
  const { db } = database
  const dueAfter = async (started: string, endedAgo: string | null) => {
    await db`delete from taste_runs`
    await db`
      insert into taste_runs (started_at, ended_at)
      values (now() + ${started}::interval, now() + ${endedAgo}::interval)`
    return isLearningDue(db)
  }
  expect(await dueAfter('-25 hours', '-25 hours')).toBe(true)
  expect(await dueAfter('-1 minute', '0')).toBe(false)
  expect(await dueAfter('-59 minutes', null)).toBe(false)
  expect(await dueAfter('-61 minutes', null)).toBe(true)
  // The clock was wrong.
  expect(await dueAfter('20 days', '20 days')).toBe(true)
  await db`update microgenre_totals set dealt_ratings = 0`
  expect(await dueAfter('-25 hours', '-25 hours')).toBe(false)
})
