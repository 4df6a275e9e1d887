import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { House } from '../tests/browser/house.ts'
import { startMixedLoad } from '../tests/harness/mixedLoad.ts'
import { blows, type Kind } from './chaos/blows.ts'
import { judge, listFailures, sumUp, type Verdict } from './chaos/judge.ts'
import { inviteOthers, startLoad } from './chaos/load.ts'
import type { Blow } from './chaos/scene.ts'
import { inSpread } from './measure/spread.ts'
import { inviteListeners, makeStage, type Stage } from './rate/audience.ts'

/* Listeners rate while something is killed, cut off or confused; then everything that was answered is looked for. See README.md. */

/** Callers at once, one listener each. */
const LISTENERS = 16

/** More than any listener gets to in a round. */
const SONGS = 3000

const { values } = parseArgs({ options: { rounds: { type: 'string' }, only: { type: 'string' } } })
const rounds = Number(values.rounds ?? 20)
const kinds = values.only ? [values.only as Kind] : (Object.keys(blows) as Kind[])
if (!(rounds > 0) || kinds.some((kind) => !(kind in blows))) {
  console.error(`Usage: npm run chaos -- [--rounds N] [--only ${Object.keys(blows).join(' | ')}]`)
  process.exit(2)
}

const failures: string[] = []
console.log(`${LISTENERS} listeners rate; ${rounds} rounds each.\n`)
console.log(
  `${'what happens'.padEnd(42)}failed  acknowledged  found  doubled  recount difference  recovered after, s`,
)
for (const kind of kinds) await strike(kind, blows[kind])
for (const failure of failures) console.error(`✗ ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

async function strike(kind: Kind, blow: Blow): Promise<void> {
  const scene = await blow.prepare()
  if (typeof scene === 'string') {
    console.log(`${blow.title.padEnd(42)}left out: ${scene}`)
    return
  }
  const { house } = scene
  const stop = () => void scene.close().finally(() => process.exit(1))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const verdicts: Verdict[] = []
    const recoveries: number[] = []
    let allFailed = 0
    const songs = await makeStage(house.db, SONGS)
    for (let round = 0; round < rounds; round++) {
      const { verdict, recovery, failed } = await strikeOnce(
        house,
        songs,
        (turn) => scene.strike(turn),
        round,
      )
      recoveries.push(recovery)
      allFailed += failed
      verdicts.push(verdict)
    }
    const sum = sumUp(verdicts)
    console.log(
      `${blow.title.padEnd(42)}${String(allFailed).padStart(6)} ${String(sum.acknowledged).padStart(13)} ${String(sum.found).padStart(6)} ` +
        `${String(sum.doubled).padStart(8)} ${String(sum.differences.length).padStart(19)}  ${inSpread(recoveries, 1)}`,
    )
    failures.push(...listFailures(kind, sum))
  } catch (error) {
    failures.push(`${kind}: ${String(error)}`)
    console.log(`${blow.title.padEnd(42)}broken off: ${String(error)}\n${house.output().slice(-2000)}`)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await scene.close()
  }
}

async function strikeOnce(
  house: House,
  songs: Stage,
  blow: (round: number) => Promise<void>,
  round: number,
): Promise<{ verdict: Verdict; recovery: number; failed: number }> {
  const audience = await inviteListeners(house.db, songs, LISTENERS)
  const others = await inviteOthers(house, songs)
  const load = startLoad(house.url, audience)
  const mixed = startMixedLoad(others, String(songs.microgenreId), { unanswered: true })
  // Not always at the same point of a second, which the roll-up has for its own.
  await wait(400 + Math.random() * 800)
  await blow(round)
  const struck = Date.now()
  await load.answered()
  const recovery = (Date.now() - struck) / 1000
  await mixed.answered()
  await wait(300)
  await mixed.end()
  const acknowledged = await load.end()
  return { verdict: await judge(house.db, audience, acknowledged), recovery, failed: load.failed() }
}
