import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { PREFETCH_SIZE, rateAndAdvance } from '../../contract/discovery.ts'
import type { Database } from '../../server/db/connection.ts'
import type { EmbeddedConnection } from '../../server/db/embedded/connection.ts'
import { queryableOn } from '../../server/db/sql.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import type { LoadListeners } from '../measure/listeners.ts'
import { cpuSeconds, isInstalled } from '../measure/processes.ts'

/* The programs that make calls: wrk over HTTP, and pgbench with the statement alone. */

export interface Load {
  calls: number
  seconds: number
  /** Responses with status 400 or more, and calls without one. */
  refused: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** CPU seconds of the calling program. */
  cpu: number
}

/**
 * 64 or so concurrent callers, each rating song after song for its own listeners, with a mean pause in milliseconds.
 */
export async function loadByHttp(
  url: string,
  { sessions, microgenreId, firstSong }: LoadListeners,
  { seconds, connections, pause = 0 }: { seconds: number; connections: number; pause?: number },
): Promise<Load> {
  return withFile(sessions.map((session) => `session=${session}\n`).join(''), async (file) => {
    const size = ['-t', connections, '-c', connections, '-d', `${seconds}s`, '--timeout', '10s']
    const script = path.join(import.meta.dirname, 'rate.lua')
    const { host } = new URL(url)
    const own = [file, connections, microgenreId, firstSong, rateAndAdvance.path, host, Math.round(pause)]
    const args = [...size, '-s', script, url, '--', ...own].map(String)
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let cpu = 0
    // When the process has exited, its time can no longer be read.
    const watch = setInterval(() => {
      cpu = Math.max(cpu, cpuSeconds(child.pid ?? 0))
    }, 50)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    clearInterval(watch)
    if (code !== 0) throw new Error(`wrk exited with ${code}:\n${output}`)
    return { ...(JSON.parse(output.trim().split('\n').at(-1) ?? '') as Omit<Load, 'cpu'>), cpu }
  })
}

/** Calls a second by pgbench with the product's own statement, one client for each listener. */
export async function loadByPgbench(
  { host, port, username, database }: EmbeddedConnection,
  statement: string,
  { sessions, firstListener, firstSong, microgenreId }: LoadListeners,
  seconds: number,
): Promise<number> {
  return withFile(scriptOf(statement), async (file) => {
    const variables = { done: -1, listeners: firstListener, songs: firstSong, genre: microgenreId }
    const { stdout } = await promisify(execFile)(findPgbench() ?? '', [
      ...['--no-vacuum', '--protocol=prepared', `--client=${sessions.length}`, '--jobs=2'],
      ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
      ...[`--time=${seconds}`, `--file=${file}`, `--host=${host}`, `--port=${port}`],
      ...[`--username=${username}`, database],
    ])
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  })
}

/** The missing programs. */
export const missingPrograms = () => [
  ...(isInstalled('wrk') ? [] : ['wrk']),
  ...(findPgbench() ? [] : ['pgbench (in postgresql-contrib)']),
]

/** Debian does not put pgbench in the PATH. */
function findPgbench(): string | undefined {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : []
  const pgbenchPath = versions
    .map((version) => `${folder}/${version}/bin/pgbench`)
    .find((each) => existsSync(each))
  return pgbenchPath ?? (isInstalled('pgbench') ? 'pgbench' : undefined)
}

async function withFile<T>(content: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-rate-'))
  try {
    const file = path.join(folder, 'input')
    await writeFile(file, content)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The statement of a rating, as the server sends it to PostgreSQL, with pgbench's variables in the place of $1 …. */
export async function readStatement(): Promise<string> {
  let statement = ''
  const recorder = queryableOn({
    run: async ({ text, values }) => {
      if (text.includes('pg_timezone_names')) return Object.assign([{ name: ZONE }], { count: 1 })
      statement = text.replace(/\$(\d+)/g, (_, number) => inPgbench(values[Number(number) - 1]))
      return Object.assign([{ place: 1, outcome: 'rated', songId: null }], { count: 1 })
    },
    runForValues: async () => [],
  })
  const body = { microgenreId: '2', songId: '3', rating: 'banger' as const, zone: ZONE }
  await rateSong(recorder as Database, readEnv({}), '1', body)
  return statement
}

const ZONE = 'Europe/Berlin'
const VARIABLES = new Map<unknown, string>([
  ['1', ':listener'],
  ['2', ':genre'],
  ['3', ':song'],
  [true, ':banger'],
  [false, 'false'],
  [null, 'null'],
  [PREFETCH_SIZE, String(PREFETCH_SIZE)],
  [ZONE, `'${ZONE}'`],
])

function inPgbench(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(inPgbench).join(', ')}]`
  const name = VARIABLES.get(value)
  if (!name) throw new Error(`pgbench has no variable for ${value}.`)
  return name
}

/** Each client counts its own songs, and every third is a bust, like the callers over HTTP. */
function scriptOf(statement: string): string {
  return `\\set done :done + 1
\\set song :songs + :done
\\set listener :listeners + :client_id
\\set banger :song % 3 <> 0
${statement.trim()};
`
}
