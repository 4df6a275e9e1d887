import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { PREFETCH_SIZE } from '../../contract/discovery.ts'
import type { Database } from '../../server/db/connection.ts'
import type { EmbeddedConnection } from '../../server/db/embedded/probe.ts'
import { queryableOn } from '../../server/db/queryable.ts'
import { rateSong } from '../../server/discovery/rateSong.ts'
import { readEnv } from '../../server/env.ts'
import type { LoadListeners } from './listeners.ts'

/** Calls a second by pgbench with the product's own statement, one client for each listener. */
export async function loadByPgbench(
  pgbench: string,
  at: EmbeddedConnection,
  statement: string,
  listeners: LoadListeners,
  { seconds }: { seconds: number },
): Promise<{ callsPerSecond: number; calls: number }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-pgbench-'))
  try {
    const script = path.join(folder, 'rate.sql')
    await writeFile(script, scriptOf(statement))
    const clients = listeners.sessions.length
    const { firstListener, firstSong, microgenreId } = listeners
    const variables = { done: -1, listeners: firstListener, songs: firstSong, genre: microgenreId }
    const args = [
      ['--no-vacuum', '--protocol=prepared', `--client=${clients}`, '--jobs=2', `--time=${seconds}`],
      Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
      [
        `--file=${script}`,
        `--host=${at.host}`,
        `--port=${at.port}`,
        `--username=${at.username}`,
        at.database,
      ],
    ]
    const { stdout } = await promisify(execFile)(pgbench, args.flat())
    return {
      callsPerSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]),
      calls: Number(/^number of transactions actually processed: (\d+)/m.exec(stdout)?.[1]),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The statement of a rating, as the server sends it to PostgreSQL, with pgbench's variables in the place of $1 …. */
export async function readStatement(): Promise<string> {
  let statement = ''
  const recorder = queryableOn({
    run: async ({ text, values }) => {
      if (text.includes('pg_timezone_names'))
        return Object.assign([{ name: ZONE.toLowerCase() }], { count: 1 })
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
