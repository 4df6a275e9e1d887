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
import { finish, judge, setting } from './measure/goals.ts'
import { residentBytes } from './measure/processCosts.ts'
import { measureUnderLoad, type Round, signIn } from './measure/underLoad.ts'

/* How long other calls wait while listeners with very many ratings open their libraries. See README.md. */

const LISTENERS = 10
const RATINGS = setting('BENCH_RATINGS', 10_000)
const ROUNDS = setting('BENCH_ROUNDS', 5)
/** How often each listener opens everything in a busy phase. */
const OPENINGS = 3

/** The latency of other calls as a multiple at most, and the server's memory in MiB. */
const GOALS = { ratio: 2, memory: 250 }

/** The requests of My Library and of the profile as they open. */
const OPENED: { path: string; range?: string }[] = [
  { path: listRatings.path },
  { path: `${listRatings.path}?type=banger`, range: 'items=0-19' },
  { path: `${listRatings.path}?type=bust`, range: 'items=0-14' },
  ...[getCurrentUser, getMyStats, listAchievements, listSessions].map(({ path }) => ({ path })),
]

/** Calls of libraries that were rejected. */
let rejected = 0
const app = await startTestServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close().finally(() => process.exit(1)))
}
try {
  console.log(`${LISTENERS} listeners, ${RATINGS} ratings each`)
  const listeners = await makeListeners(app)
  const waits: number[] = []
  const openAll = async () => {
    for (let i = 0; i < OPENINGS; i++) waits.push(...(await openTheirLists(app, listeners)))
  }
  const memory = watchMemory(app)
  for (const kind of ['next song', 'rating'] as const) await show(app, kind, openAll)
  const { before, most } = memory.end()
  console.log()
  judge('memory of the server process before, MiB', before / 2 ** 20)
  judge('memory of the server process, MiB, most', most / 2 ** 20, { most: GOALS.memory })
  judge('a complete list arrives after, ms', waits)
  judge('calls of libraries that were rejected', rejected, { most: 0 })
} finally {
  await app.close()
}
finish()

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
    if (status >= 400) rejected++
    return performance.now() - started
  }
  return Promise.all(
    listeners.map(
      async (listener) => (await Promise.all(OPENED.map((each) => open(listener, each))))[0] ?? 0,
    ),
  )
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
  judge(
    `${kind}, p95 alone, ms`,
    rounds.map(({ calm }) => calm.p95),
  )
  judge(`${kind}, p95 meanwhile by p95 alone`, ratios, { most: GOALS.ratio })
  judge(`${kind}, rejected`, refused, { most: 0 })
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
