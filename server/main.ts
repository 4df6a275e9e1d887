import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { connect } from './db/connection.ts'
import { acquireDataDir, type SharedData } from './db/openDatabase.ts'
import { type Env, readEnv } from './env.ts'
import { collectClusterMetrics } from './http/metrics.ts'
import { createLog, print } from './process/log.ts'
import { EXIT_NOT_STARTED } from './process/shutdown.ts'
import { supervise } from './process/supervise.ts'
import { messageOf } from './programs/runCommand.ts'

/** Milliseconds, after DRAIN_SECONDS, in which a process can stop; its own limits are shorter. */
const STOP_TIMEOUT = 40_000

/** Connections that stay free for the operator's programs. */
const RESERVED_CONNECTIONS = 10

await start().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(EXIT_NOT_STARTED)
})

async function start(): Promise<void> {
  const env = readEnv(process.env)
  collectClusterMetrics()
  // In development one process does all: tsx watches the files that it loads.
  if (cluster.isPrimary && !process.env.BOB_DEV_WEB) await startProcesses(env)
  else await (await import('./serve.ts')).serve(env)
}

/** Holds DATA_DIR and the embedded database, and runs the processes that answer calls. */
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
      return sizePools(env, await data)
    },
    stopTimeout: env.DRAIN_SECONDS * 1000 + STOP_TIMEOUT,
    outputs: [process.stdout, destination],
    async onListening(port) {
      ;(await data)?.setAddress(env.PUBLIC_URL ?? `http://localhost:${port}`)
    },
    async close() {
      // A start that is interrupted must not leave PostgreSQL running.
      await (await data?.catch(() => null))?.close()
      log.flush()
    },
  })
}

/**
 * The setting for processes whose pools fit into the database together, with one process more while they are replaced.
 * @throws what connecting to the database throws.
 */
async function sizePools(env: Env, { target }: SharedData): Promise<Record<string, string>> {
  if (env.PROCESSES === 1) return {}
  const db = connect(env.DATABASE_DIRECT_URL ?? target, { max: 1 })
  try {
    const [row] = await db<{ most: number }[]>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`
    const share = Math.floor(((row?.most ?? 0) - RESERVED_CONNECTIONS) / (env.PROCESSES + 1))
    return { DATABASE_POOL: String(Math.max(2, Math.min(env.DATABASE_POOL, share))) }
  } finally {
    await db.end({ timeout: 5 })
  }
}
