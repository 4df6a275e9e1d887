import diagnostics from 'node:diagnostics_channel'
import { beforeEach, expect, test } from 'vitest'
import { reportProgress } from '../../contract/playback.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { hasCitus } from '../../server/db/distribute.ts'
import { ProgressQueue } from '../../server/playback/ProgressQueue.ts'
import { makeListeners, makeMicrogenre } from '../factories.ts'
import { startApp } from '../harness/setUpApp.ts'
import { exceptOnCluster, setUpDatabase } from '../harness/setUpDatabase.ts'

/* Listening progress of many listeners is stored together, and each report gets its own response. */

const database = setUpDatabase()
const together = exceptOnCluster('each report is a statement of its own there')
const NOTHING_LATE = { status: 'fulfilled', value: { achievement: null } }
const NO_SUCH_SONG = { status: 'rejected', reason: expect.objectContaining({ status: 404 }) }

let queue: ProgressQueue
/** Of a second process. */
let otherQueue: ProgressQueue
let songs: string[]
beforeEach(async () => {
  const pools = [1, 2].map(() => connect(database.target, { max: 4, lookups: true }))
  const isDistributed = await hasCitus(database.db)
  ;[queue, otherQueue] = pools.map((db) => new ProgressQueue(db, { isDistributed })) as [
    ProgressQueue,
    ProgressQueue,
  ]
  songs = (await makeMicrogenre(database.db, 3)).songs
  return () => Promise.all(pools.map((db) => db.end({ timeout: 5 })))
})

const listenersOf = (count: number) => makeListeners(database.db, count)

const heard = (secondsListened: number, songId = songs[0] ?? '', totalDuration = 100) => ({
  songId,
  secondsListened,
  totalDuration,
})

/** The number of transactions that stored the progress of these listeners, and the number of rows. */
async function stored(listeners: string[]) {
  const [row] = await database.db`
    select count(distinct xmin::text)::int as transactions, count(*)::int as rows
    from listening_progress where user_id = any(${listeners}::bigint[])`
  return row
}

async function addLateAchievement(db: Database, listener: string) {
  const earnedAt = new Date(Date.now() - 60_000)
  await db`
    insert into achievements (user_id, type, created_at)
    values (${listener}, 'streak_5', ${earnedAt}), (${listener}, 'streak_10', ${earnedAt})`
}

together('reports that arrive while one is stored are stored together', async () => {
  const listeners = await listenersOf(60)

  const answers = await Promise.allSettled(
    listeners.map((listener, n) => queue.report(listener, heard(n + 1))),
  )

  expect(answers).toEqual(listeners.map(() => NOTHING_LATE))
  expect(await stored(listeners)).toEqual({ transactions: 2, rows: 60 })
  const [last] = await database.db`
    select seconds_listened, total_duration from listening_progress where user_id = ${listeners[59] ?? ''}`
  expect(last).toEqual({ secondsListened: 60, totalDuration: 100 })
})

test('each of them is answered for itself', async () => {
  const [first = '', ada = '', ben = '', deleted = '', cem = ''] = await listenersOf(5)
  await database.db`delete from listener_stats where user_id = ${deleted}`
  await addLateAchievement(database.db, cem)

  const answers = await Promise.allSettled([
    queue.report(first, heard(1)),
    queue.report(ada, heard(2)),
    queue.report(ben, heard(3, '999999999')),
    queue.report(deleted, heard(4)),
    queue.report(cem, heard(5)),
    queue.report(cem, heard(6, songs[1])),
  ])

  expect(answers.slice(0, 4)).toEqual([NOTHING_LATE, NOTHING_LATE, NO_SUCH_SONG, NO_SUCH_SONG])
  expect(announcedIn(answers.slice(4))).toContain('streak_5')
  expect((await stored([first, ada, ben, deleted, cem]))?.rows).toBe(4)
  expect(await database.db`select from listening_progress where user_id = ${deleted}`).toHaveLength(0)
})

test('several tabs with one song store the longest time, and all are answered', async () => {
  const [first = '', ada = ''] = await listenersOf(2)

  const answers = await Promise.allSettled([
    queue.report(first, heard(1)),
    queue.report(ada, heard(90)),
    queue.report(ada, heard(200, songs[0], 95)),
    queue.report(ada, heard(20, songs[0], 40)),
  ])

  expect(answers).toEqual(answers.map(() => NOTHING_LATE))
  const rows = await database.db`select seconds_listened from listening_progress where user_id = ${ada}`
  expect([...rows]).toEqual([{ secondsListened: 95 }])
})

test('a report that the database refuses does not keep those beside it from being stored', async () => {
  const listeners = await listenersOf(9)
  await database.db.unsafe(
    `alter table listening_progress add constraint not_this_one check (song_id <> ${songs[1]})`,
  )
  try {
    const answers = await Promise.allSettled(
      listeners.map((listener, n) => queue.report(listener, heard(1, songs[n === 5 ? 1 : 0]))),
    )

    expect(answers.map(({ status }) => status)).toEqual(
      listeners.map((_, n) => (n === 5 ? 'rejected' : 'fulfilled')),
    )
    expect(answers[5]).toMatchObject({ reason: { code: '23514' } })
  } finally {
    await database.db`alter table listening_progress drop constraint not_this_one`
  }
})

test('a locked listener delays only their own report', async () => {
  const [first = '', locked = '', ada = ''] = await listenersOf(3)
  let waiting: Promise<unknown> | undefined
  await database.db.begin(async (tx) => {
    await tx`select from listener_stats where user_id = ${locked} for update`
    const before = queue.report(first, heard(1))
    waiting = queue.report(locked, heard(2))

    // They are answered while the lock is held.
    await Promise.all([before, queue.report(ada, heard(3))])
    expect((await stored([locked]))?.rows).toBe(0)
  })
  expect(await waiting).toEqual({ achievement: null })
  expect((await stored([locked]))?.rows).toBe(1)
})

test('a late achievement is announced once, whichever process is asked (community-13)', async () => {
  const listeners = await listenersOf(12)
  for (const listener of listeners) await addLateAchievement(database.db, listener)
  const reportAll = () =>
    Promise.allSettled(
      listeners.flatMap((listener) => [queue, otherQueue].map((each) => each.report(listener, heard(1)))),
    )

  const answers = [...(await reportAll()), ...(await reportAll()), ...(await reportAll())]

  const expected = listeners.flatMap(() => ['streak_5', 'streak_10'])
  expect(announcedIn(answers).toSorted()).toEqual(expected.toSorted())
  const waiting = await database.db`
    select from achievements where announced_at is null and user_id = any(${listeners}::bigint[])`
  expect(waiting).toHaveLength(0)
})

function announcedIn(answers: PromiseSettledResult<{ achievement: { type: string } | null }>[]): string[] {
  return answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value.achievement ? [answer.value.achievement.type] : [],
  )
}

test('a server that stops answers the reports that it has taken', async () => {
  const { app, close } = await startApp(database.target)
  const listeners = await Promise.all(Array.from({ length: 20 }, () => app.signIn()))
  let taken = 0
  const count = () => taken++
  diagnostics.subscribe('http.server.request.start', count)
  try {
    const headers = { connection: 'close' }
    const answers = listeners.map((listener) =>
      listener.raw(reportProgress.path, { method: 'POST', json: heard(1), headers }),
    )
    await expect.poll(() => taken).toBe(listeners.length)
    await close()

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(listeners.map(() => 200))
  } finally {
    diagnostics.unsubscribe('http.server.request.start', count)
  }
  expect((await stored(listeners.map(({ id }) => id)))?.rows).toBe(listeners.length)
})
