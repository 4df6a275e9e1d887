import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { listAchievements } from '../contract/achievements.ts'
import { getCurrentUser, listSessions } from '../contract/auth.ts'
import { listRatings } from '../contract/library.ts'
import { createMix, MAX_MIX_SONGS } from '../contract/mixes.ts'
import { getMyStats } from '../contract/profiles.ts'
import { getSharedMix, sharePath } from '../contract/sharing.ts'
import { getVisitorPreview } from '../contract/visitors.ts'
import { createSession } from '../server/auth/sessions.ts'
import type { Database } from '../server/db/connection.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { makeListener, makeMicrogenre, writeRatings } from '../tests/factories.ts'
import { requestBytes } from '../tests/harness/request.ts'
import { pathOf, visitorAt } from '../tests/harness/visitor.ts'
import type { CallKind, Latency, Order } from './library/caller.ts'
import { waitForRollUp } from './measure/listeners.ts'
import { residentMiB } from './measure/processes.ts'
import {
  type AddCleanUp,
  beginPart,
  finish,
  judge,
  judgeCount,
  quantile,
  setting,
  sumOf,
  wantedParts,
  withCleanUp,
} from './measure/report.ts'

/* How long other calls wait while many ratings are opened, or a mix by many visitors. See README.md. */

const LISTENERS = 10
const RATINGS = setting('BENCH_RATINGS', 10_000, 1000)
const ROUNDS = setting('BENCH_ROUNDS', 5, 1)
/** How often each listener opens everything in a busy phase. */
const OPENINGS_PER_LISTENER = 3

const VISITS = setting('BENCH_VISITS', 1000, 50)
/** Milliseconds from one visit to the next. */
const VISIT_INTERVAL = 20

/** Calls of a calm phase; a busy phase has as many as fit into the work. */
const CALM_CALLS = 200
/** Busy phases that do not count: V8 compiles during two of them, which delays calls. */
const WARM_UP_ROUNDS = setting('BENCH_WARM_UPS', 3, 1)
/** A listener may make 1,200 calls a minute, so several take turns to make the other calls. */
const CALLERS = 6

/** The latency of other calls as a multiple at most, and the server's memory in MiB. */
const GOALS = { ratio: 2, memory: 250, visitors: { ratio: 1.5, page: 100, lookUps: MAX_MIX_SONGS } }

/** The requests of My Library and of the profile as they open. */
const LIBRARY_CALLS: { path: string; range?: string }[] = [
  { path: listRatings.path },
  { path: `${listRatings.path}?type=banger`, range: 'items=0-19' },
  { path: `${listRatings.path}?type=bust`, range: 'items=0-14' },
  ...[getCurrentUser, getMyStats, listAchievements, listSessions].map(({ path }) => ({ path })),
]

const parts = { libraries: measureLibraries, visitors: measureVisitors }
for (const part of wantedParts(['libraries', 'visitors'])) {
  beginPart(part)
  await withCleanUp(parts[part])
}
finish()

async function measureLibraries(later: AddCleanUp): Promise<void> {
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
  for (const kind of ['next song', 'rating'] as const) await compare(caller, kind, openAll, GOALS.ratio)
  console.log()
  judge('memory of the server process before, MiB', memory[0] ?? Number.NaN)
  judge('memory of the server process, MiB, most', Math.max(...memory), { most: GOALS.memory })
  judge('a complete list arrives after, ms', waits)
  judgeCount('calls of libraries that were rejected', rejected)
}

async function measureVisitors(later: AddCleanUp): Promise<void> {
  console.log(`\n${VISITS} visits of a mix of ${MAX_MIX_SONGS} songs, from as many networks`)
  const app = await startTestServer({ TRUST_PROXY: 'loopback' })
  later(() => app.close())
  const { songs } = await makeMicrogenre(app.db, MAX_MIX_SONGS)
  const [maker] = await makeSignedIn(app.db, 1)
  await writeRatings(app.db, maker?.id ?? '', songs, () => true)
  const { body: mix } = await visitorAt(app.url, new Map([['session', maker?.session ?? '']])).call(
    createMix,
    {
      body: { name: 'Night buses', songIds: songs, isPublic: true },
    },
  )
  const shareToken = mix.shareToken ?? ''
  const caller = await startCaller(app.url, app.db)
  later(caller.end)
  const waits: number[] = []
  let rejected = 0
  const visit = async (n: number) => {
    const id = songs[n % songs.length] ?? ''
    for (const path of [
      sharePath('mix', shareToken),
      pathOf(getSharedMix, { params: { shareToken } }),
      pathOf(getVisitorPreview, { params: { id } }),
    ]) {
      const started = performance.now()
      const headers = { 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` }
      const { status } = await requestBytes(`${app.url}${path}`, { headers })
      if (status >= 400) rejected++
      if (!path.includes('preview')) waits.push(performance.now() - started)
    }
  }
  const visitAll = async () => {
    const visits: Promise<void>[] = []
    const started = performance.now()
    while (visits.length < VISITS) {
      visits.push(visit(visits.length))
      await wait(Math.max(0, started + visits.length * VISIT_INTERVAL - performance.now()))
    }
    await Promise.all(visits)
  }
  await compare(caller, 'rating', visitAll, GOALS.visitors.ratio)
  judge('the page and its call, p95, ms', quantile(waits, 0.95), { most: GOALS.visitors.page })
  judge('look-ups at Deezer', app.deezer.requests.length, { most: GOALS.visitors.lookUps })
  judgeCount('calls of visitors that were rejected', rejected)
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

/** Alternates calls alone and calls during other work, so that changes of the machine's load affect both. */
async function compare(
  caller: Caller,
  kind: CallKind,
  work: () => Promise<void>,
  maxRatio: number,
): Promise<void> {
  console.log(`\n${kind}, p95 in ms, alone and meanwhile`)
  const busyPhase = async () => {
    const made = caller.make(kind, Number.MAX_SAFE_INTEGER)
    await work()
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
  judge(`${kind}, p95 meanwhile by p95 alone`, ratios, { most: maxRatio })
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
