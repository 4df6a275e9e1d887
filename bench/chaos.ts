import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { TestServer } from '../tests/browser/testServer.ts'
import { startMixedLoad } from '../tests/harness/mixedLoad.ts'
import { faults, type Kind } from './chaos/faults.ts'
import { createMixedListeners, startLoad } from './chaos/load.ts'
import type { Fault } from './chaos/scenario.ts'
import { listFailures, sumUp, type Verification, verify } from './chaos/verify.ts'
import { inSpread } from './measure/spread.ts'
import { createListeners, createSongs, type SongRange } from './rate/listeners.ts'

/* Injects faults while listeners rate, then checks that every acknowledged rating is stored. See README.md. */

/** Concurrent callers, one listener each. */
const LISTENERS = 16

/** More than a listener rates in a round. */
const SONGS = 3000

const { values } = parseArgs({ options: { rounds: { type: 'string' }, only: { type: 'string' } } })
const rounds = Number(values.rounds ?? 20)
const kinds = values.only ? [values.only as Kind] : (Object.keys(faults) as Kind[])
if (!(rounds > 0) || kinds.some((kind) => !(kind in faults))) {
  console.error(`Usage: npm run chaos -- [--rounds N] [--only ${Object.keys(faults).join(' | ')}]`)
  process.exit(2)
}

const failures: string[] = []
console.log(`${LISTENERS} listeners rate; ${rounds} rounds each.\n`)
console.log(
  `${'fault'.padEnd(42)}failed  acknowledged  found  doubled  recount difference  recovered after, s`,
)
for (const kind of kinds) await run(kind, faults[kind])
for (const failure of failures) console.error(`✗ ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

async function run(kind: Kind, fault: Fault): Promise<void> {
  const scenario = await fault.prepare()
  if (typeof scenario === 'string') {
    console.log(`${fault.title.padEnd(42)}skipped: ${scenario}`)
    return
  }
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
      )
      recoveries.push(recovery)
      allFailed += failed
      verifications.push(verification)
    }
    const sum = sumUp(verifications)
    console.log(
      `${fault.title.padEnd(42)}${String(allFailed).padStart(6)} ${String(sum.acknowledged).padStart(13)} ${String(sum.found).padStart(6)} ` +
        `${String(sum.doubled).padStart(8)} ${String(sum.differences.length).padStart(19)}  ${inSpread(recoveries, 1)}`,
    )
    failures.push(...listFailures(kind, sum))
  } catch (error) {
    failures.push(`${kind}: ${String(error)}`)
    console.log(`${fault.title.padEnd(42)}failed: ${String(error)}\n${app.output().slice(-2000)}`)
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
): Promise<{ verification: Verification; recovery: number; failed: number }> {
  const listeners = await createListeners(app.db, songs, LISTENERS)
  const others = await createMixedListeners(app, songs)
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
