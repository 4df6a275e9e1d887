import { setTimeout as wait } from 'node:timers/promises'
import { getNextSong, rateAndAdvance } from '../../contract/discovery.ts'
import { createSession } from '../../server/auth/sessions.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { requireEmbeddedConnection } from '../../server/db/embedded/connection.ts'
import { functions } from '../../server/db/functions.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { type Visitor, visitorAt } from '../../tests/harness/visitor.ts'
import { isShort, quantile } from '../measure/report.ts'
import { inviteGuest } from './calls.ts'

/** Listeners who rate meanwhile, and milliseconds between two ratings of a listener: 200 a second together. */
const LISTENERS = 16
const RATING_INTERVAL = 80

/** Milliseconds of the phases without a move, and the limit for a move. */
const CALM_DURATION = isShort ? 3000 : 20_000
const MAX_DURATION = 10 * 60_000

export interface Midnight {
  /** Songs that left the window: all that were ever rated. */
  songs: number
  seconds: number
  /** p99 of ratings over HTTP, in ms. */
  calm: number
  meanwhile: number
  /** Songs whose total differs from the sum of their days. */
  wrong: number
}

/** Ratings over HTTP, first alone, then while the server takes a day of every song out of the windows. */
export async function measureMidnight(app: TestServer): Promise<Midnight> {
  const listeners = await inviteRaters(app)
  // The roll-up does nothing while this connection holds its lock.
  const own = connect(await requireEmbeddedConnection(app.dataDir), { max: 1 })
  try {
    await rateFor(listeners, wait(3000))
    const calm = await rateFor(listeners, wait(CALM_DURATION))
    await own`select pg_advisory_lock(7041001)`
    const songs = await moveRatingsToYesterday(own)
    await own`select pg_advisory_unlock(7041001)`
    const started = performance.now()
    const meanwhile = await rateFor(listeners, waitForMovedWindow(own))
    const seconds = (performance.now() - started) / 1000
    return {
      songs,
      seconds,
      calm: quantile(calm, 0.99),
      meanwhile: quantile(meanwhile, 0.99),
      wrong: await countWrong(own),
    }
  } finally {
    await own.end({ timeout: 5 })
  }
}

interface Rater {
  visitor: Visitor
  microgenres: string[]
  /** The one in which they rate. */
  at: number
}

async function inviteRaters(app: TestServer): Promise<Rater[]> {
  const raters: Rater[] = []
  for (let n = 0; n < LISTENERS; n++) {
    const guest = await inviteGuest(app.db)
    const session = (await createSession(app.db, guest.newcomer, null)) ?? ''
    const visitor = visitorAt(app.url, new Map([['session', session]]))
    raters.push({ visitor, microgenres: guest.microgenres, at: n % guest.microgenres.length })
  }
  return raters
}

/** Milliseconds of each rating until `end`. */
async function rateFor(raters: Rater[], end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let over = false
  const ending = end.finally(() => {
    over = true
  })
  const rateOn = async (rater: Rater) => {
    const { visitor } = rater
    let songId = await firstSong(rater)
    while (!over) {
      const microgenreId = rater.microgenres[rater.at] ?? ''
      const started = performance.now()
      const answer = await visitor.call(rateAndAdvance, { body: { microgenreId, songId, rating: 'banger' } })
      const took = performance.now() - started
      if (answer.status !== 200) throw new Error(`A rating responded ${answer.status}.`)
      times.push(took)
      songId = answer.body.nextSong?.id ?? (await firstSong(rater))
      await wait(Math.max(0, RATING_INTERVAL - took))
    }
  }
  await Promise.all([ending, ...raters.map(rateOn)])
  return times
}

/** Of the first microgenre that is not complete: in a quick run they are small. */
async function firstSong(rater: Rater): Promise<string> {
  for (let tries = 0; tries < rater.microgenres.length; tries++) {
    const { body } = await rater.visitor.call(getNextSong, {
      params: { id: rater.microgenres[rater.at] ?? '' },
    })
    if ('id' in body) return body.id
    rater.at = (rater.at + 1) % rater.microgenres.length
  }
  throw new Error('A listener has rated every song.')
}

/** Moves the clock back a day, and adds one banger to every song 29 days earlier. Returns the number of songs. */
async function moveRatingsToYesterday(db: Database): Promise<number> {
  await db`set statement_timeout = 0`
  for (;;) {
    const [row] = await db<{ more: boolean }[]>`
      select ${functions}.move_windows(5000, (now() at time zone 'UTC')::date - 1) as more`
    if (!row?.more) break
  }
  const { count } = await db`
    with added as (
      insert into song_days as d (song_id, day, ratings, bangers)
      select t.song_id, c.day - 29, 1, 1 from song_totals t, community_totals c
      on conflict (day, song_id) do update set ratings = d.ratings + 1, bangers = d.bangers + 1
      returning song_id
    )
    update song_totals t set recent_bangers = recent_bangers + 1 from added where added.song_id = t.song_id`
  await db`vacuum song_totals, song_days`
  await db`checkpoint`
  return count
}

async function waitForMovedWindow(db: Database): Promise<void> {
  const started = performance.now()
  for (;;) {
    const [row] = await db<{ isThere: boolean }[]>`
      select day = (now() at time zone 'UTC')::date and least(songs_gone, listeners_gone) = 9223372036854775807 as is_there
      from community_totals`
    if (row?.isThere) return
    if (performance.now() - started > MAX_DURATION) throw new Error('Moving the windows timed out.')
    await wait(100)
  }
}

async function countWrong(db: Database): Promise<number> {
  const [row] = await db<{ wrong: number }[]>`
    select count(*)::int as wrong from song_totals t left join (
      select d.song_id, sum(d.bangers) as bangers from song_days d, community_totals c
      where (d.day, d.song_id) > (c.day - 30, c.songs_gone) group by d.song_id
    ) as counted using (song_id)
    where t.recent_bangers <> coalesce(counted.bangers, 0)`
  return row?.wrong ?? Number.NaN
}
