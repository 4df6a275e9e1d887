import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { beginPart, finish, judge, setting, wantedParts } from './measure/goals.ts'
import { measureUnderLoad, type Round } from './measure/underLoad.ts'
import { askForOnePicture, countViews, makePictureLoad } from './pages/sharingLoad.ts'
import { showLighthouse } from './web/showLighthouse.ts'
import { preparePages } from './web/subjects.ts'

/** The latency of a rating while 50 share pictures render, as a multiple at most. */
const RATIO = 1.5
const ROUNDS = setting('BENCH_ROUNDS', 5)

const LIGHTHOUSE_RUNS = setting('BENCH_RUNS', 3)

const VIEWS = 1000
const ASKERS = 500

/* The load of shared pages on others. See README.md. */

const parts = { views: showSharing, ratings: showRatings, lighthouse: showScores }
const wanted = wantedParts(['views', 'ratings', 'lighthouse'])

const app = await startTestServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close().finally(() => process.exit(1)))
}
try {
  for (const part of wanted) {
    beginPart(part)
    await parts[part](app)
  }
} finally {
  await app.close()
}
finish()

async function showSharing(app: TestServer): Promise<void> {
  const views = await countViews(app, VIEWS)
  console.log(`\n${VIEWS} views at once, retried ${JSON.stringify(views.retries)}`)
  judge('views counted', views.counted, { least: VIEWS, most: VIEWS })
  judge('different numbers that visitors got', views.distinct, { least: VIEWS, most: VIEWS })
  const picture = await askForOnePicture(app, ASKERS)
  console.log(`${ASKERS} requests for one picture at once`)
  judge('requests for one picture that succeeded', picture.answered, { least: ASKERS, most: ASKERS })
  judge('renderings of this picture', picture.rendered, { least: 1, most: 1 })
}

async function showScores(app: TestServer): Promise<void> {
  const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  await showLighthouse(app, await preparePages(app), { runs: LIGHTHOUSE_RUNS, browser })
}

async function showRatings(app: TestServer): Promise<void> {
  console.log('\nA rating over HTTP, ms, alone and while 50 share pictures render')
  const rounds: Round[] = []
  for await (const round of measureUnderLoad(app, ROUNDS, await makePictureLoad(app))) {
    rounds.push(round)
    console.log(lineOf(round))
  }
  const refused = rounds.reduce((sum, { calm, busy }) => sum + calm.refused + busy.refused, 0)
  judge('ratings that were rejected', refused, { most: 0 })
  for (const at of ['p50', 'p95'] as const) {
    judge(
      `${at} of a rating alone, ms`,
      rounds.map(({ calm }) => calm[at]),
    )
    const ratios = rounds.map(({ calm, busy }) => busy[at] / calm[at])
    judge(`${at} while pictures render by ${at} alone`, ratios, { most: RATIO })
  }
}

function lineOf({ calm, busy }: Round): string {
  const change = (at: 'p50' | 'p95') => `${at} ${calm[at].toFixed(2)} → ${busy[at].toFixed(2)}`
  return `  ${change('p50')}, ${change('p95')} (${calm.calls} and ${busy.calls} ratings)`
}
