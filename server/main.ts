import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DatabaseError } from 'pg'
import { pino } from 'pino'
import { type ConnectionTarget, connect, withDatabase } from './db/connection.ts'
import { DatabaseUnavailable } from './db/connections.ts'
import { acquireDataDir, type SharedData } from './db/openDatabase.ts'
import { type Env, readEnv } from './env.ts'
import { collectClusterMetrics } from './http/metrics.ts'
import { createLog, print } from './process/log.ts'
import { supervise } from './process/supervise.ts'
import { exitCodeOf, messageOf } from './programs/runCommand.ts'

/** Milliseconds after DRAIN_SECONDS, longer than the process's own timeouts. */
const STOP_TIMEOUT = 40_000

/** Milliseconds before the database is tried again. */
const RETRY_DELAY = 1000

/** Database connections that stay free for the operator's programs. */
const RESERVED_CONNECTIONS = 10

await start().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(exitCodeOf(error))
})

async function start(): Promise<void> {
  const env = readEnv(process.env)
  collectClusterMetrics()
  // In development there is one process, because tsx watches the files that it loads.
  if (cluster.isPrimary && !process.env.BOB_DEV_WEB) await startProcesses(env)
  else await (await import('./serve.ts')).serve(env)
}

/** Acquires DATA_DIR with the embedded database, and runs the processes that answer calls. */
async function startProcesses(env: Env): Promise<void> {
  const destination = pino.destination({ sync: false })
  const log = createLog(env.LOG_LEVEL, destination)
  let data: Promise<SharedData> | undefined
  await supervise({
    exec: fileURLToPath(import.meta.url),
    count: env.PROCESSES,
    async prepare() {
      print('preparing the database')
      data = acquireDataDir(env, (message, details) => log.info(details ?? {}, message))
      const { target } = await data
      await waitForDatabase(target)
      if (env.DATABASE_DIRECT_URL) await waitForDatabase(env.DATABASE_DIRECT_URL)
      return sizePools(env, target)
    },
    stopTimeout: env.DRAIN_SECONDS * 1000 + STOP_TIMEOUT,
    outputs: [process.stdout, destination],
    async onListening(port) {
      ;(await data)?.setAddress(env.PUBLIC_URL ?? `http://localhost:${port}`)
    },
    async close() {
      // An interrupted start must not leave PostgreSQL running.
      await (await data?.catch(() => null))?.close()
      log.flush()
    },
  })
}

/** Waits for a database that is not there yet, as when all machines start at once. */
async function waitForDatabase(target: ConnectionTarget, printed = ''): Promise<void> {
  let reason = ''
  try {
    return void (await withDatabase(target, (db) => db`select`))
  } catch (error) {
    // It is starting, or has no free connection.
    const isTemporary = error instanceof DatabaseError && /^(57P03|53)/.test(error.code ?? '')
    if (!isTemporary && !(error instanceof DatabaseUnavailable)) throw error
    reason = messageOf(error)
  }
  if (reason !== printed) print(`${reason} Will retry.`)
  await wait(RETRY_DELAY)
  return waitForDatabase(target, reason)
}

/**
 * Returns a setting with which the pools of all processes fit into the database, and one more pool, for a process that
 * replaces another.
 * @throws what connecting to the database throws.
 */
async function sizePools(env: Env, target: ConnectionTarget): Promise<Record<string, string>> {
  if (env.PROCESSES === 1) return {}
  const db = connect(env.DATABASE_DIRECT_URL ?? target, { max: 1 })
  try {
    const [row] = await db<{ available: number }[]>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as available`
    const share = Math.floor(((row?.available ?? 0) - RESERVED_CONNECTIONS) / (env.PROCESSES + 1))
    return { DATABASE_POOL: String(Math.max(2, Math.min(env.DATABASE_POOL, share))) }
  } finally {
    await db.end({ timeout: 5 })
  }
}
