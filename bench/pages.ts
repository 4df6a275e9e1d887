import os from 'node:os'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { median } from './measure/spread.ts'
import { measureUnderLoad, type Round } from './measure/underLoad.ts'
import { askForOnePicture, countViews, makePictureLoad } from './pages/sharingLoad.ts'
import { showLighthouse } from './web/showLighthouse.ts'
import { preparePages } from './web/subjects.ts'

/** The latency of a rating while 50 share pictures render, as a multiple at most. */
const RATIO = 1.5
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)

const LIGHTHOUSE_RUNS = Number(process.env.BENCH_RUNS ?? 3)

const VIEWS = 1000
const ASKERS = 500

/* The load of shared pages on others. See README.md. */

/** Without a name everything is measured. */
const isWanted = (part: 'views' | 'ratings' | 'lighthouse') =>
  process.argv.length < 3 || process.argv.includes(part)

const missed: string[] = []
const app = await startTestServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close().finally(() => process.exit(1)))
}
try {
  console.log(`${os.cpus().length} CPUs, load ${load()} before`)
  if (isWanted('views')) await showViews(app)
  if (isWanted('views')) await showOnePicture(app)
  if (isWanted('ratings')) await showRatings(app)
  if (isWanted('lighthouse')) {
    const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
    await showLighthouse(app, await preparePages(app), { runs: LIGHTHOUSE_RUNS, browser, verdict })
  }
  console.log(`\nload ${load()} after`)
} finally {
  await app.close()
}
console.log(missed.length === 0 ? '\nAll goals met.' : `\nNot met: ${missed.join('; ')}.`)
process.exit(missed.length === 0 ? 0 : 1)

async function showViews(app: TestServer): Promise<void> {
  const { asked, counted, distinct, retries } = await countViews(app, VIEWS)
  console.log(
    `\n${asked} views at once: counted ${counted}, ${distinct} different numbers returned, ` +
      `retried ${JSON.stringify(retries)}: ${verdict('views', counted === asked && distinct === asked)}`,
  )
}

async function showOnePicture(app: TestServer): Promise<void> {
  const { asked, answered, rendered } = await askForOnePicture(app, ASKERS)
  console.log(
    `${asked} requests for one picture: ${answered} succeeded, rendered ${rendered} times: ${verdict('one picture', answered === asked && rendered === 1)}`,
  )
}

async function showRatings(app: TestServer): Promise<void> {
  console.log('\nA rating over HTTP, ms, alone and while 50 share pictures render')
  const rounds: Round[] = []
  for await (const round of measureUnderLoad(app, ROUNDS, await makePictureLoad(app))) {
    rounds.push(round)
    console.log(lineOf(round))
  }
  const refused = rounds.reduce((sum, { calm, busy }) => sum + calm.refused + busy.refused, 0)
  console.log(`rejected ratings: ${refused}: ${verdict('rejected ratings', refused === 0)}`)
  for (const at of ['p50', 'p95'] as const) {
    const ratios = rounds.map(({ calm, busy }) => busy[at] / calm[at])
    const middle = median(ratios)
    console.log(
      `${at}: ${median(rounds.map(({ calm }) => calm[at])).toFixed(2)} alone, ` +
        `${median(rounds.map(({ busy }) => busy[at])).toFixed(2)} rendering; ratio ${middle.toFixed(2)} ` +
        `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), at most ${RATIO}: ` +
        verdict(`${at} while rendering`, middle <= RATIO),
    )
  }
}

function lineOf({ calm, busy }: Round): string {
  const change = (at: 'p50' | 'p95') => `${at} ${calm[at].toFixed(2)} → ${busy[at].toFixed(2)}`
  return `  ${change('p50')}, ${change('p95')} (${calm.calls} and ${busy.calls} ratings)`
}

function verdict(what: string, isMet: boolean): string {
  if (!isMet) missed.push(what)
  return isMet ? 'met' : 'NOT MET'
}

/** The load of other programs affects every figure here: runnable processes, over 1 and 5 minutes. */
function load(): string {
  const [one = 0, five = 0] = os.loadavg()
  return `${one.toFixed(1)}, ${five.toFixed(1)}`
}
