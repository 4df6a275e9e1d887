import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { listAchievements } from '../contract/achievements.ts'
import { getCurrentUser, listSessions } from '../contract/auth.ts'
import { listRatings } from '../contract/library.ts'
import { getMyStats } from '../contract/profiles.ts'
import { createSession } from '../server/auth/sessions.ts'
import type { Database } from '../server/db/connection.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { makeListener, makeMicrogenre, writeRatings } from '../tests/factories.ts'
import { requestBytes } from '../tests/harness/request.ts'
import type { CallKind, Latency, Order } from './library/caller.ts'
import { waitForRollUp } from './measure/listeners.ts'
import { residentMiB } from './measure/processes.ts'
import { type AddCleanUp, finish, judge, judgeCount, setting, sumOf, withCleanUp } from './measure/report.ts'

/* How long other calls wait while listeners with very many ratings open their libraries. See README.md. */

const LISTENERS = 10
const RATINGS = setting('BENCH_RATINGS', 10_000, 1000)
const ROUNDS = setting('BENCH_ROUNDS', 5, 1)
/** How often each listener opens everything in a busy phase. */
const OPENINGS_PER_LISTENER = 3

/** Calls of a calm phase; a busy phase has as many as fit into the work. */
const CALM_CALLS = 200
/** Busy phases that do not count: V8 compiles during two of them, which delays calls. */
const WARM_UP_ROUNDS = setting('BENCH_WARM_UPS', 3, 1)
/** A listener may make 1,200 calls a minute, so several take turns to make the other calls. */
const CALLERS = 6

/** The latency of other calls as a multiple at most, and the server's memory in MiB. */
const GOALS = { ratio: 2, memory: 250 }

/** The requests of My Library and of the profile as they open. */
const LIBRARY_CALLS: { path: string; range?: string }[] = [
  { path: listRatings.path },
  { path: `${listRatings.path}?type=banger`, range: 'items=0-19' },
  { path: `${listRatings.path}?type=bust`, range: 'items=0-14' },
  ...[getCurrentUser, getMyStats, listAchievements, listSessions].map(({ path }) => ({ path })),
]

await withCleanUp(measure)
finish()

async function measure(later: AddCleanUp): Promise<void> {
  console.log(`${LISTENERS} listeners, ${RATINGS} ratings each`)
  const app = await startTestServer()
  later(() => app.close())
  const sessions = await makeListeners(app.db)
  const caller = await startCaller(app.url, app.db)
  later(caller.end)
  const waits: number[] = []
  let rejected = 0
  const open = async (session: string, { path, range }: (typeof LIBRARY_CALLS)[number]) => {
    const started = performance.now()
    const headers = { cookie: `session=${session}`, 'accept-encoding': 'gzip, br', ...(range && { range }) }
    const { status } = await requestBytes(`${app.url}${path}`, { headers })
    if (status >= 400) rejected++
    if (path === listRatings.path) waits.push(performance.now() - started)
  }
  const openAll = async () => {
    for (let n = 0; n < OPENINGS_PER_LISTENER; n++)
      await Promise.all(sessions.flatMap((session) => LIBRARY_CALLS.map((each) => open(session, each))))
  }
  const memory = [residentMiB(app.workers()[0] ?? 0)]
  const watch = setInterval(() => memory.push(residentMiB(app.workers()[0] ?? 0)), 20)
  later(() => clearInterval(watch))
  for (const kind of ['next song', 'rating'] as const) await compare(caller, kind, openAll)
  console.log()
  judge('memory of the server process before, MiB', memory[0] ?? Number.NaN)
  judge('memory of the server process, MiB, most', Math.max(...memory), { most: GOALS.memory })
  judge('a complete list arrives after, ms', waits)
  judgeCount('calls of libraries that were rejected', rejected)
}

/** Returns their sessions. */
async function makeListeners(db: Database): Promise<string[]> {
  const { songs } = await makeMicrogenre(db, RATINGS)
  // Texts as long as the catalogue's, four in five with a video.
  await db`
    update songs set title = 'A song of usual length ' || id, artist = 'The ' || id || ' Musicians',
      year = 1970 + id % 50, duration_ms = 180000 + id,
      youtube_id = case when id % 5 > 0 then left(md5(id::text), 11) end
    where id = any(${songs}::bigint[])`
  const listeners = await makeSignedIn(db, LISTENERS)
  for (const { id } of listeners) await writeRatings(db, id, songs, (index) => index % 2 === 0)
  await waitForRollUp(db)
  await db`vacuum analyze`
  return listeners.map(({ session }) => session)
}

async function makeSignedIn(db: Database, count: number): Promise<{ id: string; session: string }[]> {
  const made: { id: string; session: string }[] = []
  for (let n = 0; n < count; n++) {
    const id = await makeListener(db)
    made.push({ id, session: (await createSession(db, id, null)) ?? '' })
  }
  return made
}

/** Alternates calls alone and calls while all libraries open, so that changes of the machine's load affect both. */
async function compare(caller: Caller, kind: CallKind, openAll: () => Promise<void>): Promise<void> {
  console.log(`\n${kind}, p95 in ms, alone and while all listeners open their libraries`)
  const busyPhase = async () => {
    const made = caller.make(kind, Number.MAX_SAFE_INTEGER)
    await openAll()
    caller.stop()
    return made
  }
  const rounds: { calm: Latency; busy: Latency }[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const calm = await caller.make(kind, CALM_CALLS)
    const busy = await busyPhase()
    if (round < 0) continue
    rounds.push({ calm, busy })
    console.log(`  ${calm.p95.toFixed(1)} → ${busy.p95.toFixed(1)} (${busy.calls} calls)`)
  }
  const calmTimes = rounds.map(({ calm }) => calm.p95)
  const ratios = rounds.map(({ calm, busy }) => busy.p95 / calm.p95)
  judge(`${kind}, p95 alone, ms`, calmTimes)
  judge(`${kind}, p95 meanwhile by p95 alone`, ratios, { most: GOALS.ratio })
  judgeCount(`${kind}, rejected`, sumOf(rounds.map(({ calm, busy }) => calm.refused + busy.refused)))
}

interface Caller {
  /** Makes that many calls, or until it is stopped. */
  make(kind: CallKind, most: number): Promise<Latency>
  stop(): void
  end(): void
}

async function startCaller(url: string, db: Database): Promise<Caller> {
  const sessions = (await makeSignedIn(db, CALLERS)).map(({ session }) => session)
  const { id: microgenreId, songs } = await makeMicrogenre(db, 1000)
  const program = fork(path.join(import.meta.dirname, 'library/caller.ts'))
  const order = (what: Order) => void program.send(what)
  order({ url, sessions, microgenreId, songs })
  return {
    async make(kind, most) {
      order({ make: most, kind })
      const [latency] = await once(program, 'message')
      return latency as Latency
    },
    stop: () => order('enough'),
    end: () => void (program.connected && program.disconnect()),
  }
}
