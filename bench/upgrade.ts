import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { rollUp } from '../server/community/rollUp.ts'
import { connect } from '../server/db/connection.ts'
import { embeddedConnection } from '../server/db/embedded/embeddedConnection.ts'
import { packageFolder } from '../server/packageFolder.ts'
import { counted, kept } from '../tests/harness/counts.ts'
import { freePort } from '../tests/harness/freePort.ts'
import { type Visitor, visitorAt } from '../tests/harness/visitor.ts'
import { finish, judge, noteSetting } from './measure/goals.ts'

/*
 * Upgrades in place: the server of an earlier commit gets listeners, ratings, profiles and shares on a new DATA_DIR, and
 * this one continues with it. See README.md.
 */

/** Milliseconds to clone, install and build the earlier version. */
const PATIENCE = 15 * 60_000
const LISTENERS = 3
/** Fewer than half of a microgenre's songs. */
const RATINGS = 10

/** What the listener sees. Newer versions may add fields. */
const CALLS = [
  '/api/auth/user',
  '/api/users/me/ratings',
  '/api/users/me/stats',
  '/api/collections',
  '/api/community/stats',
] as const

const run = promisify(execFile)
const [given] = process.argv.slice(2)
const before = given ?? (await newestTag())
if (!before) {
  console.error('Usage: npm run bench -- upgrade COMMIT\nWithout COMMIT, the newest tag before this commit.')
  process.exit(2)
}

const place = await mkdtemp(path.join(os.tmpdir(), 'bob-upgrade-'))
const env = {
  PORT: String(await freePort()),
  DATA_DIR: path.join(place, 'data'),
  // The discard port: no outside service is called.
  DEEZER_URL: 'http://127.0.0.1:9',
}
const url = `http://localhost:${env.PORT}`
const failures: string[] = []
try {
  const old = path.join(place, 'before')
  await run('git', ['clone', '--quiet', '--no-checkout', packageFolder('.'), old])
  await run('git', ['checkout', '--quiet', '--detach', before], { cwd: old })
  const listeners = await withServer(old, makeData)
  await withServer(packageFolder('.'), () => compare(listeners))
} catch (error) {
  failures.push(String(error))
} finally {
  await rm(place, { recursive: true, force: true })
}
for (const failure of failures) console.error(`✗ ${failure}`)
noteSetting('from', before)
judge('differences after the upgrade', failures.length, { most: 0 })
finish()

async function newestTag(): Promise<string | null> {
  const { stdout } = await run('git', ['describe', '--tags', '--abbrev=0', 'HEAD^'], {
    cwd: packageFolder('.'),
  }).catch(() => ({ stdout: '' }))
  return stdout.trim() || null
}

interface Listener {
  visitor: Visitor
  microgenreId: string
  /** What the server answered before. */
  answers: unknown[]
}

async function makeData(): Promise<Listener[]> {
  const listeners: Listener[] = []
  for (let n = 0; n < LISTENERS; n++) {
    const visitor = await signIn(`listener-${n}@example.test`)
    await send(visitor, 'PUT', '/api/users/me/profile', { bio: `Number ${n} 🎧`, isPublic: true })
    const microgenreId = await microgenreAt(visitor, n)
    const bangers = await rateSongs(visitor, microgenreId, n)
    const { body } = await send(visitor, 'POST', '/api/collections', { name: `Collection ${n}` })
    const { id } = body as { id: string }
    await send(visitor, 'POST', `/api/collections/${id}/items`, { microgenreId })
    await send(visitor, 'POST', `/api/collections/${id}/share`)
    if (bangers[4]) await send(visitor, 'DELETE', `/api/users/me/ratings/${bangers[4]}`)
    if (n > 0) await send(visitor, 'POST', `/api/users/${await idOf(listeners[0]?.visitor)}/follow`)
    listeners.push({ visitor, microgenreId, answers: [] })
  }
  await rolledUp()
  for (const listener of listeners) listener.answers = await ask(listener.visitor)
  return listeners
}

async function compare(listeners: Listener[]): Promise<void> {
  for (const [n, { visitor, answers }] of listeners.entries()) {
    const now = await ask(visitor)
    for (const [at, call] of CALLS.entries())
      for (const difference of lost(answers[at], now[at]))
        failures.push(`listener ${n}, ${call}: ${difference}`)
  }
  // Each pass goes on.
  for (const [n, { visitor, microgenreId }] of listeners.entries()) {
    if ((await rateSongs(visitor, microgenreId, n)).length === 0) failures.push(`listener ${n}: no song came`)
  }
  await rolledUp()
  const db = connect(await embeddedConnection(env.DATA_DIR), { max: 1 })
  try {
    await rollUp(db)
    if (!isDeepStrictEqual(await kept(db), await counted(db)))
      failures.push('the totals differ from a recount')
  } finally {
    await db.end({ timeout: 5 })
  }
}

async function ask(visitor: Visitor): Promise<unknown[]> {
  const answers = []
  for (const call of CALLS) answers.push((await send(visitor, 'GET', call)).body)
  return answers
}

/** The paths of values that changed or are gone. */
function lost(was: unknown, is: unknown, at = 'answer'): string[] {
  if (typeof was !== 'object' || was === null)
    return Object.is(was, is) ? [] : [`${at} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`]
  if (typeof is !== 'object' || is === null) return [`${at} is gone`]
  return Object.entries(was).flatMap(([key, value]) =>
    lost(value, (is as Record<string, unknown>)[key], `${at}.${key}`),
  )
}

async function signIn(email: string): Promise<Visitor> {
  const visitor = visitorAt(url)
  const { body } = await send(visitor, 'POST', '/api/auth/magic-link/send', { email })
  const link = new URL((body as { magicLink: string }).magicLink)
  await visitor.raw(link.pathname + link.search)
  return visitor
}

async function idOf(visitor = visitorAt(url)): Promise<string> {
  return ((await send(visitor, 'GET', '/api/auth/user')).body as { id: string }).id
}

async function microgenreAt(visitor: Visitor, n: number): Promise<string> {
  const { body } = await send(visitor, 'GET', '/api/microgenres')
  return (body as { id: string }[])[n]?.id ?? ''
}

/** Rates the next songs of a microgenre, and gives the bangers. */
async function rateSongs(visitor: Visitor, microgenreId: string, n: number): Promise<string[]> {
  const bangers: string[] = []
  let { body: song } = await send(visitor, 'GET', `/api/microgenres/${microgenreId}/next-song`)
  for (let rated = 0; rated < RATINGS && song; rated++) {
    const { id: songId } = song as { id: string }
    const rating = rated % 3 === n ? 'bust' : 'banger'
    const { body: answer } = await send(visitor, 'POST', '/api/batch/rate-and-advance', {
      microgenreId,
      songId,
      rating,
    })
    if (rating === 'banger') bangers.push(songId)
    song = (answer as { nextSong: unknown }).nextSong
  }
  return bangers
}

async function send(visitor: Visitor, method: string, call: string, json?: unknown) {
  const answer = await visitor.raw(call, { method, ...(json === undefined ? {} : { json }) })
  if (answer.status >= 400) throw new Error(`${method} ${call} answered ${answer.status} ${answer.text}`)
  return answer
}

/** Totals lag a rating by two seconds at most (community-4). */
function rolledUp(): Promise<void> {
  return wait(3000)
}

async function withServer<T>(folder: string, use: () => Promise<T>): Promise<T> {
  const { PATH, HOME } = process.env
  const server = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.on('data', (text) => {
    output += text
  })
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    await untilReady(server)
    return await use()
  } catch (error) {
    throw new Error(`${error}\n${output.slice(-3000)}`)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  for (const late = Date.now() + PATIENCE; Date.now() < late && server.exitCode === null; await wait(200)) {
    const isReady = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
  }
  throw new Error('The server does not start.')
}
