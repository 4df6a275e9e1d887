import { afterEach, beforeEach, expect, test } from 'vitest'
import type { rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { hasCitus } from '../../server/db/distribute.ts'
import { listNextSongs } from '../../server/discovery/dealtSongs.ts'
import { RatingQueue } from '../../server/discovery/RatingQueue.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { createLog } from '../../server/process/log.ts'
import { type MadeMicrogenre, makeListener, makeMicrogenre } from '../factories.ts'
import { brokenHands } from '../harness/counts.ts'
import { exceptOnCluster, expectRecount, isOnCluster, setUpDatabase } from '../harness/setUpDatabase.ts'

/* Waiting ratings are stored together, and each gets its own response. */

const database = setUpDatabase()
const env = readEnv({})
const zone = 'Asia/Kolkata'
const together = exceptOnCluster('each rating is a statement of its own there')
const CONNECTION_LOST = { code: 'CONNECTION_LOST' }

/** One connection, for which ratings wait. */
let db: Database
let ratings: RatingQueue
let genre: MadeMicrogenre
beforeEach(async () => {
  db = connect(database.target, { max: 1, lookups: true })
  ratings = new RatingQueue(db, env, createLog('silent', process.stdout), {
    isDistributed: await hasCitus(db),
  })
  genre = await makeMicrogenre(database.db, 40)
  return () => db.end({ timeout: 5 })
})
afterEach(async () => {
  await expectRecount(database.db)
  expect(await brokenHands(database.db)).toEqual([])
})

/** Listeners whose page has loaded songs. */
async function listenersOf(count: number): Promise<string[]> {
  const listeners = await Promise.all(Array.from({ length: count }, () => makeListener(database.db)))
  await Promise.all(listeners.map((listener) => listNextSongs(database.db, env, listener, genre.id, 5)))
  return listeners
}

/** A rating of the microgenre's n-th song. */
const songAt = (n: number, more: Partial<BodyOf<typeof rateAndAdvance>> = {}) => ({
  microgenreId: genre.id,
  songId: genre.songs[n] ?? '',
  rating: 'banger' as const,
  ...more,
})

/** Occupies the connection. The returned function frees it, once all calls made until then wait for it. */
async function occupy(): Promise<() => Promise<void>> {
  let free = () => {}
  await new Promise<void>((isTaken) => {
    void db.onConnection(() => {
      isTaken()
      return new Promise<void>((resolve) => {
        free = resolve
      })
    })
  })
  return async () => {
    await new Promise(setImmediate)
    free()
  }
}

/** Sends all at once, so that they wait together. */
async function rateTogether(sent: [listener: string, body: BodyOf<typeof rateAndAdvance>][]) {
  const free = await occupy()
  const answers = Promise.allSettled(sent.map(([listener, body]) => ratings.rate(listener, body)))
  await free()
  return answers
}

/** The number of transactions that stored the ratings of these listeners, and the number of ratings. */
async function stored(listeners: string[]) {
  const [row] = await database.db`
    select count(distinct xmin::text)::int as transactions, count(*)::int as ratings
    from ratings where user_id = any(${listeners}::bigint[])`
  return row
}

together(
  'ratings that wait for a connection are stored in one transaction, each with the answer it gets alone',
  async () => {
    const listeners = await listenersOf(12)
    const sent = listeners.map((listener, n): [string, BodyOf<typeof rateAndAdvance>] => [
      listener,
      songAt(n, {
        rating: n % 2 ? 'banger' : 'bust',
        heard: n % 3 ? { seconds: 12.5, source: 'preview' } : null,
        ...(n % 4 ? { zone } : {}),
      }),
    ])
    // So that no rating waits for the list of zones.
    await rateSong(db, env, await makeListener(database.db), songAt(30, { zone }))

    const answers = await rateTogether(sent)

    expect(await stored(listeners)).toEqual({ transactions: 1, ratings: 12 })
    for (const [n, [listener, body]] of sent.entries()) {
      // A repeated rating changes nothing and is answered alike (discover-14).
      expect(answers[n]).toEqual({ status: 'fulfilled', value: await rateSong(db, env, listener, body) })
    }
    const heard = await database.db`
    select banger, heard_seconds, heard_source from ratings
    where user_id = any(${listeners.slice(0, 2)}::bigint[])
    order by array_position(${listeners}::bigint[], user_id)`
    expect(heard).toEqual([
      { banger: false, heardSeconds: null, heardSource: null },
      { banger: true, heardSeconds: 12.5, heardSource: 'preview' },
    ])
  },
)

together('many that wait are stored 64 at a time', async () => {
  const listeners = await listenersOf(150)

  const answers = await rateTogether(listeners.map((listener, n) => [listener, songAt(n % 40)]))

  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(150)
  expect(await stored(listeners)).toEqual({ transactions: 3, ratings: 150 })
})

together('ratings in batches deal the songs that single ratings deal, to the end of the pass', async () => {
  const createTwins = () =>
    Promise.all(
      ['both', 'liked', 'surprise', 'shuffle'].map(async (choice, n) => {
        const listener = await makeListener(database.db)
        await database.db`update listener_stats set song_choice = ${choice} where user_id = ${listener}`
        await database.db`
          insert into listener_genres (user_id, microgenre_id, pass_seed, pass_size)
          values (${listener}, ${genre.id}, ${n + 1}, ${genre.songs.length})`
        await listNextSongs(db, env, listener, genre.id, 5)
        return listener
      }),
    )
  const [batched, single] = [await createTwins(), await createTwins()]
  const readHands = async (listeners: string[]) => {
    const rows = await database.db<{ ahead: string[] }[]>`
      select ahead, ahead_numbers, ahead_reasons, done, dealt, h.songs from listener_genres g
      left join listener_hands h using (user_id, microgenre_id)
      where user_id = any(${listeners}::bigint[]) order by pass_seed`
    return rows
  }
  for (let n = 0; n < genre.songs.length; n++) {
    const hands = await readHands(batched)
    expect(await readHands(single), `after ${n} songs`).toEqual(hands)
    const bodies = hands.map(({ ahead }, l) => ({
      ...songAt(0, { songId: ahead[0] ?? '' }),
      rating: (n + l) % 3 ? ('banger' as const) : ('bust' as const),
    }))
    await rateTogether(batched.map((listener, l) => [listener, bodies[l] ?? songAt(0)]))
    for (const [l, listener] of single.entries()) {
      await rateSong(db, env, listener, bodies[l] ?? songAt(0))
      if ((hands[l]?.ahead.length ?? 0) === 2) await listNextSongs(db, env, listener, genre.id, 5)
    }
    // After the fill, which has the connection.
    await db`select`
    await rollUp(database.db)
  }
  expect((await readHands(batched)).map(({ ahead }) => ahead)).toEqual([[], [], [], []])
})

together('when one song is left ahead, more are dealt after the answer, and none before', async () => {
  const listeners = await listenersOf(2)
  const songs = await Promise.all(listeners.map((listener) => listNextSongs(db, env, listener, genre.id, 5)))
  const countAhead = async () => {
    const rows = await database.db<{ count: number }[]>`
      select cardinality(ahead) as count from listener_genres where user_id = any(${listeners}::bigint[])`
    return rows.map(({ count }) => count)
  }

  for (const [n, left] of [4, 3, 2].entries()) {
    await rateTogether(
      listeners.map((listener, i) => [listener, songAt(0, { songId: songs[i]?.[n]?.id ?? '' })]),
    )
    expect(await countAhead()).toEqual([left, left])
  }
  const answers = await rateTogether(
    listeners.map((listener, i) => [listener, songAt(0, { songId: songs[i]?.[3]?.id ?? '' })]),
  )
  for (const [i, answer] of answers.entries())
    expect(answer).toMatchObject({ value: { nextSong: { id: songs[i]?.[4]?.id } } })
  await expect.poll(countAhead).toEqual([5, 5])
})

together('a refused rating does not keep those beside it from being stored', async () => {
  const other = await makeMicrogenre(database.db, 1)
  const [ada = '', ben = '', cem = '', dora = '', deleted = ''] = await listenersOf(5)
  await database.db`delete from listener_stats where user_id = ${deleted}`

  const answers = await rateTogether([
    [ada, songAt(0)],
    [ben, songAt(1, { songId: '999999999' })],
    [cem, songAt(2, { microgenreId: other.id })],
    [deleted, songAt(3)],
    [dora, songAt(4)],
  ])

  expect(answers).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ completed: false }) },
    { status: 'rejected', reason: expect.objectContaining({ status: 404 }) },
    { status: 'rejected', reason: expect.objectContaining({ status: 400 }) },
    { status: 'rejected', reason: expect.objectContaining({ status: 401 }) },
    { status: 'fulfilled', value: expect.objectContaining({ completed: false }) },
  ])
  expect(await stored([ada, ben, cem, dora, deleted])).toEqual({ transactions: 1, ratings: 2 })
})

test('a rating that the database refuses does not keep those beside it from being stored', async () => {
  const listeners = await listenersOf(8)
  await database.db.unsafe(
    `alter table ratings add constraint not_this_one check (song_id <> ${genre.songs[1]})`,
  )
  try {
    const answers = await rateTogether(listeners.map((listener, n) => [listener, songAt(n)]))

    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
    expect(answers[1]).toMatchObject({ status: 'rejected', reason: { code: '23514' } })
    // It is found by halving.
    if (!isOnCluster()) expect(await stored(listeners)).toEqual({ transactions: 3, ratings: 7 })
  } finally {
    await database.db`alter table ratings drop constraint not_this_one`
  }
})

together('a locked listener delays only their own rating', async () => {
  const [locked = '', ...others] = await listenersOf(3)
  let waiting: Promise<unknown> | undefined
  await database.db.begin(async (tx) => {
    await tx`select from listener_stats where user_id = ${locked} for update`
    const free = await occupy()
    waiting = ratings.rate(locked, songAt(0))
    const answers = Promise.all(others.map((listener, n) => ratings.rate(listener, songAt(n + 1))))
    await free()

    // They are answered while the lock is held.
    expect(await answers).toHaveLength(2)
    expect(await stored([locked, ...others])).toEqual({ transactions: 1, ratings: 2 })
  })
  expect(await waiting).toMatchObject({ totals: { totalRatings: 1 } })
})

together('two tabs that rate at once count once, and the later rating stays', async () => {
  const [listener = ''] = await listenersOf(1)

  const answers = await rateTogether([
    [listener, songAt(0, { rating: 'bust' })],
    [listener, songAt(0, { rating: 'banger' })],
    [listener, songAt(1)],
    [listener, songAt(1)],
  ])

  expect(answers.map((each) => each.status === 'fulfilled' && each.value.totals)).toEqual([
    { totalBangers: 0, totalRatings: 1 },
    { totalBangers: 1, totalRatings: 1 },
    { totalBangers: 2, totalRatings: 2 },
    { totalBangers: 2, totalRatings: 2 },
  ])
  expect(await stored([listener])).toMatchObject({ ratings: 2 })
})

test('a rating whose caller has given up is never stored', async () => {
  const [late = '', next = ''] = await listenersOf(2)
  const free = await occupy()
  await expect(ratings.rate(late, songAt(0))).rejects.toMatchObject(CONNECTION_LOST)
  const waiting = ratings.rate(next, songAt(1))
  await free()

  expect(await waiting).toMatchObject({ totals: { totalRatings: 1 } })
  expect(await stored([late])).toEqual({ transactions: 0, ratings: 0 })
})

exceptOnCluster('it waits on a worker, where this test does not look')(
  'when the database ends the connection in the middle, nothing is stored, and a repeat is stored once',
  async () => {
    const listeners = await listenersOf(6)
    const { answers } = await database.db.begin(async (tx) => {
      await tx`lock table ratings in exclusive mode`
      const answers = rateTogether(listeners.map((listener, n) => [listener, songAt(n)]))
      await expect.poll(() => endWaiting()).toBe(1)
      return { answers }
    })

    expect((await answers).map(({ status }) => status)).toEqual(listeners.map(() => 'rejected'))
    expect(await stored(listeners)).toEqual({ transactions: 0, ratings: 0 })
    await rateTogether(listeners.map((listener, n) => [listener, songAt(n)]))
    expect(await stored(listeners)).toEqual({ transactions: 1, ratings: 6 })
  },
)

/** Ends the connections that wait for a lock. Returns their number. */
async function endWaiting(): Promise<number> {
  const endedBackends = await database.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return endedBackends.length
}
