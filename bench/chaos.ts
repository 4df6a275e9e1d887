import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { TestServer } from '../tests/browser/testServer.ts'
import { startMixedLoad } from '../tests/harness/mixedLoad.ts'
import { faults, type Kind } from './chaos/faults.ts'
import { createMixedListeners, startLoad } from './chaos/load.ts'
import type { Fault } from './chaos/scenario.ts'
import { judgeRatings, sumUp, type Verification, verify } from './chaos/verify.ts'
import { beginPart, finish, judge, noteSetting, skip } from './measure/goals.ts'
import { createListeners, createSongs, type SongRange } from './rate/listeners.ts'

/* Injects faults while listeners rate, then checks that every acknowledged rating is stored. See README.md. */

/** Concurrent callers, one listener each. */
const LISTENERS = 16

/** More than a listener rates in a round. */
const SONGS = 3000

const ROUNDS = 20

const { values } = parseArgs({ options: { rounds: { type: 'string' }, only: { type: 'string' } } })
const rounds = Number(values.rounds ?? ROUNDS)
const kinds = values.only ? [values.only as Kind] : (Object.keys(faults) as Kind[])
if (!(rounds > 0) || kinds.some((kind) => !(kind in faults))) {
  console.error(`Usage: npm run bench -- chaos [--rounds N] [--only ${Object.keys(faults).join(' | ')}]`)
  process.exit(2)
}

if (rounds !== ROUNDS) noteSetting('--rounds', rounds)
console.log(`${LISTENERS} listeners rate; ${rounds} rounds each.`)
for (const kind of kinds) await run(kind, faults[kind])
finish()

async function run(kind: Kind, fault: Fault): Promise<void> {
  console.log(`\n${fault.title}`)
  beginPart(kind)
  const scenario = await fault.prepare()
  if (typeof scenario === 'string') return skip(kind, scenario)
  const { app } = scenario
  const stop = () => void scenario.close().finally(() => process.exit(1))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const verifications: Verification[] = []
    const recoveries: number[] = []
    let allFailed = 0
    const songs = await createSongs(app.db, SONGS)
    for (let round = 0; round < rounds; round++) {
      const { verification, recovery, failed } = await runRound(
        app,
        songs,
        (turn) => scenario.inject(turn),
        round,
        fault.isLossy === true,
      )
      recoveries.push(recovery)
      allFailed += failed
      verifications.push(verification)
    }
    judge('calls that failed', allFailed)
    judgeRatings(sumUp(verifications), fault)
    judge('recovered after, s', recoveries)
    for (const [what, values] of Object.entries(scenario.figures?.() ?? {})) judge(what, values)
  } catch (error) {
    console.log(`${String(error)}\n${app.output().slice(-2000)}`)
    judge('rounds that broke off', 1, { most: 0 })
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await scenario.close()
  }
}

async function runRound(
  app: TestServer,
  songs: SongRange,
  inject: (round: number) => Promise<void>,
  round: number,
  isLossy: boolean,
): Promise<{ verification: Verification; recovery: number; failed: number }> {
  const listeners = await createListeners(app.db, songs, LISTENERS)
  // They would notice what was lost.
  const others = isLossy ? [] : await createMixedListeners(app, songs)
  const load = startLoad(app.url, listeners)
  const mixed = startMixedLoad(others, String(songs.microgenreId), { unanswered: true })
  // At a random point of the second in which the roll-up runs.
  await wait(400 + Math.random() * 800)
  await inject(round)
  const injectedAt = Date.now()
  await load.answered()
  const recovery = (Date.now() - injectedAt) / 1000
  await mixed.answered()
  await wait(300)
  await mixed.end()
  const acknowledged = await load.end()
  return { verification: await verify(app.db, listeners, acknowledged), recovery, failed: load.failed() }
}
