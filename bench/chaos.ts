import { setTimeout as wait } from 'node:timers/promises'
import type { TestServer } from '../tests/browser/testServer.ts'
import { startMixedLoad } from '../tests/harness/mixedLoad.ts'
import { type Fault, faults } from './chaos/faults.ts'
import { createMixedListeners, startLoad } from './chaos/load.ts'
import { judgeRatings, type Verification, verify } from './chaos/verify.ts'
import { createListeners, createSongs, type SongRange } from './measure/listeners.ts'
import {
  beginPart,
  finish,
  isShort,
  judge,
  judgeCount,
  setting,
  skip,
  wantedParts,
  withCleanUp,
} from './measure/report.ts'

/* Injects faults while listeners rate, then checks that every acknowledged rating is stored. See README.md. */

/** Concurrent callers, one listener each. */
const LISTENERS = 16
/** More than a listener rates in a round. */
const SONGS = 3000
const ROUNDS = setting('BENCH_ROUNDS', 20, 1)

const kinds = Object.keys(faults) as (keyof typeof faults)[]
for (const kind of wantedParts(kinds, isShort ? ['server', 'database', 'backends', 'proxy'] : kinds)) {
  beginPart(kind)
  console.log(`\n${faults[kind].title}; ${LISTENERS} listeners rate, ${ROUNDS} rounds`)
  await run(kind, faults[kind])
}
finish()

async function run(kind: string, fault: Fault): Promise<void> {
  await withCleanUp(async (later) => {
    const scenario = await fault.prepare(later)
    if (typeof scenario === 'string') return skip(kind, scenario)
    const { app } = scenario
    const verifications: Verification[] = []
    const recoveries: number[] = []
    let allFailed = 0
    try {
      const songs = await createSongs(app.db, SONGS)
      for (let round = 0; round < ROUNDS; round++) {
        const inject = () => scenario.inject(round)
        const { verification, recovery, failed } = await runRound(app, songs, inject, fault.isLossy === true)
        recoveries.push(recovery)
        allFailed += failed
        verifications.push(verification)
      }
    } catch (error) {
      console.log(`${String(error)}\n${app.output().slice(-2000)}`)
      return judgeCount('rounds that broke off', 1)
    }
    judge('calls that failed', allFailed)
    judgeRatings(verifications, fault.isLossy)
    judge('recovered after, s', recoveries)
    for (const [what, values] of Object.entries(scenario.figures ?? {})) judge(what, values)
  })
}

async function runRound(
  app: TestServer,
  songs: SongRange,
  inject: () => Promise<void>,
  isLossy: boolean,
): Promise<{ verification: Verification; recovery: number; failed: number }> {
  const listeners = await createListeners(app.db, songs, LISTENERS)
  const others = isLossy ? [] : await createMixedListeners(app, songs)
  const load = startLoad(app.url, listeners)
  const mixed = startMixedLoad(others, String(songs.microgenreId), { unanswered: true })
  // At a random point of the second in which the roll-up runs.
  await wait(400 + Math.random() * 800)
  await inject()
  const injectedAt = Date.now()
  await load.answered()
  const recovery = (Date.now() - injectedAt) / 1000
  await mixed.answered()
  await wait(300)
  await mixed.end()
  const acknowledged = await load.end()
  return { verification: await verify(app.db, listeners, acknowledged), recovery, failed: load.failed() }
}
