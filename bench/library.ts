import os from 'node:os'
import { listAchievements } from '../contract/achievements.ts'
import { getCurrentUser } from '../contract/auth.ts'
import { listRatings } from '../contract/library.ts'
import { getMyStats } from '../contract/profiles.ts'
import { listSessions } from '../contract/sessions.ts'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { makeMicrogenre, writeRatings } from '../tests/factories.ts'
import { requestBytes } from '../tests/harness/request.ts'
import type { Visitor } from '../tests/harness/visitor.ts'
import type { CallKind } from './measure/caller.ts'
import { residentBytes } from './measure/processCosts.ts'
import { median, quantile } from './measure/spread.ts'
import { measureUnderLoad, type Round, signIn } from './measure/underLoad.ts'

/* How long other calls wait while listeners with very many ratings open their libraries. See README.md. */

const LISTENERS = 10
const RATINGS = Number(process.env.BENCH_RATINGS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** How often each listener opens everything in a busy phase. */
const OPENINGS = 3

/** The latency of other calls as a multiple at most, and the server's memory in MiB. */
const GOALS = { ratio: 3, memory: 250 }

/** The requests of My Library and of the profile as they open. */
const OPENED: { path: string; range?: string }[] = [
  { path: listRatings.path },
  { path: `${listRatings.path}?type=banger`, range: 'items=0-19' },
  { path: `${listRatings.path}?type=bust`, range: 'items=0-14' },
  ...[getCurrentUser, getMyStats, listAchievements, listSessions].map(({ path }) => ({ path })),
]

const missed: string[] = []
const app = await startTestServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close().finally(() => process.exit(1)))
}
try {
  console.log(
    `${os.cpus().length} CPUs, load ${load()} before; ${LISTENERS} listeners, ${RATINGS} ratings each`,
  )
  const listeners = await makeListeners(app)
  const waits: number[] = []
  const openAll = async () => {
    for (let i = 0; i < OPENINGS; i++) waits.push(...(await openTheirLists(app, listeners)))
  }
  const memory = watchMemory(app)
  for (const kind of ['next song', 'rating'] as const) await show(app, kind, openAll)
  const { before, most } = memory.end()
  console.log(
    `\nthe server process used ${mib(before)} before and ${mib(most)} at its peak, goal ${GOALS.memory} MiB: ` +
      verdict('memory', most <= GOALS.memory * 2 ** 20),
  )
  console.log(
    `a complete list arrived after ${quantile(waits, 0.5).toFixed(0)} ms, the slowest after ${quantile(waits, 1).toFixed(0)} ms`,
  )
  console.log(`load ${load()} after`)
} finally {
  await app.close()
}
console.log(missed.length === 0 ? '\nAll goals met.' : `\nNot met: ${missed.join('; ')}.`)
process.exit(missed.length === 0 ? 0 : 1)

async function makeListeners({ db }: TestServer): Promise<Visitor[]> {
  const { songs } = await makeMicrogenre(db, RATINGS)
  // Texts as long as the catalogue's, four in five with a video.
  await db`
    update songs set title = 'A song of usual length ' || id, artist = 'The ' || id || ' Musicians',
      year = 1970 + id % 50, duration_ms = 180000 + id,
      youtube_id = case when id % 5 > 0 then left(md5(id::text), 11) end
    where id = any(${songs}::bigint[])`
  const listeners: Visitor[] = []
  for (let i = 0; i < LISTENERS; i++) {
    const listener = await signIn(app)
    const { body } = await listener.call(getCurrentUser)
    await writeRatings(db, body.id, songs, (index) => index % 2 === 0)
    listeners.push(listener)
  }
  while ((await db`select from rating_changes limit 1`).length > 0)
    await new Promise((r) => setTimeout(r, 100))
  await db`vacuum analyze`
  return listeners
}

/** All listeners at once; milliseconds until each complete list arrived. */
async function openTheirLists({ url }: TestServer, listeners: readonly Visitor[]): Promise<number[]> {
  const open = async ({ cookies }: Visitor, { path, range }: (typeof OPENED)[number]) => {
    const started = performance.now()
    const { status } = await requestBytes(`${url}${path}`, {
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'accept-encoding': 'gzip, deflate, br, zstd',
        ...(range ? { range } : {}),
      },
    })
    if (status >= 400) refused[status] = (refused[status] ?? 0) + 1
    return performance.now() - started
  }
  const refused: Record<number, number> = {}
  const times = await Promise.all(
    listeners.map(
      async (listener) => (await Promise.all(OPENED.map((each) => open(listener, each))))[0] ?? 0,
    ),
  )
  if (Object.keys(refused).length > 0) {
    console.log(`  rejected while lists opened: ${JSON.stringify(refused)}`)
    if (!missed.includes('lists rejected')) missed.push('lists rejected')
  }
  return times
}

async function show(app: TestServer, kind: CallKind, openAll: () => Promise<void>): Promise<void> {
  console.log(`\n${kind}, p95 in ms, alone and while all listeners open their libraries`)
  const rounds: Round[] = []
  for await (const round of measureUnderLoad(app, ROUNDS, openAll, kind)) {
    rounds.push(round)
    console.log(`  ${round.calm.p95.toFixed(1)} → ${round.busy.p95.toFixed(1)} (${round.busy.calls} calls)`)
  }
  const ratios = rounds.map(({ calm, busy }) => busy.p95 / calm.p95)
  const refused = rounds.reduce((sum, { calm, busy }) => sum + calm.refused + busy.refused, 0)
  console.log(
    `  ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), ` +
      `at most ${GOALS.ratio}: ${verdict(kind, median(ratios) <= GOALS.ratio)}; ` +
      `rejected ${refused}: ${verdict(`${kind} rejected`, refused === 0)}`,
  )
}

function watchMemory(app: TestServer) {
  const before = residentBytes(app.pid()) ?? 0
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(app.pid()) ?? 0)
  }, 20)
  return {
    end: () => {
      clearInterval(timer)
      return { before, most }
    },
  }
}

function verdict(what: string, isMet: boolean): string {
  if (!isMet) missed.push(what)
  return isMet ? 'met' : 'NOT MET'
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}

/** The load of other programs affects every figure here: runnable processes, over 1 and 5 minutes. */
function load(): string {
  const [one = 0, five = 0] = os.loadavg()
  return `${one.toFixed(1)}, ${five.toFixed(1)}`
}
