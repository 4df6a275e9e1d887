import { setTimeout as wait } from 'node:timers/promises'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import type { EmbeddedConnection } from '../../server/db/embedded/probe.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { judge } from '../measure/goals.ts'
import { cpuSecondsOfTree } from '../measure/processCosts.ts'
import type { SongRange } from './listeners.ts'
import { type Load, runWrk } from './loadByHttp.ts'
import { createPopulation, PAGES_PER_RATING } from './population.ts'

/** Concurrent callers that rate, and that open pages. */
const RATERS = 64
const READERS = 16

interface Limits {
  rounds: number
  seconds: number
  /** The usual load as a share of the most. */
  usual: number
  databaseTime: number
  p99: number
}

interface Phase {
  ratings: Load
  pages: Load | null
}

/**
 * A population rates and opens pages. First it only rates, which gives PostgreSQL's time for a rating; then pages are
 * opened in their proportion to these ratings, which gives the most; then both at the usual share of that.
 */
export async function measureMixed(
  app: TestServer,
  { database, postmaster }: { database: EmbeddedConnection; postmaster: number },
  songs: SongRange,
  limits: Limits,
): Promise<void> {
  // On a busy machine its statements take longer than a call's may.
  const db = connect(database, { max: 2, settings: { statement_timeout: '0' } })
  const population = await createPopulation(db, songs)
  await rollUpEnds(db)
  const { seconds, usual } = limits
  const phase = async (
    ratingsPerSecond: number,
    pagesPerSecond: number,
    duration = seconds,
  ): Promise<Phase> => {
    const { ratings, pages } = await population.callers()
    await rollUpEnds(db)
    const [rated, opened] = await Promise.all([
      callAs(app, ratings, RATERS, ratingsPerSecond, duration),
      pagesPerSecond > 0 ? callAs(app, pages, READERS, pagesPerSecond, duration) : null,
    ])
    return { ratings: rated, pages: opened }
  }
  await phase(Number.POSITIVE_INFINITY, 0, 3)
  const rounds: { databaseTime: number; alone: number; most: Phase; usual: Phase }[] = []
  for (let round = 0; round < limits.rounds; round++) {
    const before = cpuSecondsOfTree(postmaster)
    const { ratings } = await phase(Number.POSITIVE_INFINITY, 0)
    const databaseTime = ((cpuSecondsOfTree(postmaster) - before) * 1e6) / ratings.calls
    const alone = perSecond(ratings)
    const most = await phase(Number.POSITIVE_INFINITY, alone * PAGES_PER_RATING)
    const reached = perSecond(most.ratings)
    const calm = await phase(usual * reached, usual * reached * PAGES_PER_RATING)
    rounds.push({ databaseTime, alone, most, usual: calm })
    console.log(
      `  round ${round + 1}: ${alone.toFixed(0)} ratings a second alone, ${reached.toFixed(0)} with ` +
        `${most.pages ? perSecond(most.pages).toFixed(0) : 0} pages, p99 at the usual load ${calm.ratings.p99.toFixed(1)} ms`,
    )
  }
  await db.end({ timeout: 5 })
  const pages = rounds.flatMap(({ most, usual: calm }) => [most.pages, calm.pages])
  const all = [...rounds.flatMap(({ most, usual: calm }) => [most.ratings, calm.ratings]), ...pages]
  judge(
    'ratings a second without pages',
    rounds.map(({ alone }) => alone),
  )
  judge(
    'ratings a second with pages',
    rounds.map(({ most }) => perSecond(most.ratings)),
  )
  judge(
    "PostgreSQL's CPU for a rating, µs",
    rounds.map(({ databaseTime }) => databaseTime),
    { most: limits.databaseTime },
  )
  judge(
    'usual load by the most',
    rounds.map(({ most, usual: calm }) => perSecond(calm.ratings) / perSecond(most.ratings)),
  )
  judge(
    'p99 of a rating at the usual load, ms',
    rounds.map(({ usual: calm }) => calm.ratings.p99),
    { under: limits.p99 },
  )
  judge(
    'p99 of a page at the usual load, ms',
    rounds.map(({ usual: calm }) => calm.pages?.p99 ?? Number.NaN),
  )
  judge(
    'calls rejected or without a response',
    all.reduce((sum, load) => sum + (load ? load.refused + load.broken : 0), 0),
    { most: 0 },
  )
}

/** `callsPerSecond` is reached with pauses. */
async function callAs(
  app: TestServer,
  lines: readonly string[],
  connections: number,
  callsPerSecond: number,
  seconds: number,
): Promise<Load> {
  const pause = Math.max(0, (1000 * connections) / callsPerSecond - LATENCY)
  return runWrk(app.url, 'population.lua', lines, { seconds, connections }, (file) => [
    file,
    connections,
    new URL(app.url).host,
    rateAndAdvance.path,
    Math.round(pause),
  ])
}

/** Milliseconds of a call at the usual load, about. */
const LATENCY = 5

const perSecond = ({ calls, seconds }: Load) => calls / seconds

async function rollUpEnds(db: Database): Promise<void> {
  while ((await db`select from rating_changes limit 1`).length > 0) await wait(100)
}
