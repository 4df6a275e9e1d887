import { setTimeout as wait } from 'node:timers/promises'
import { type Cluster, openCluster } from './cluster.ts'
import { createServerRole, type EmbeddedConnection, readPidFile } from './connection.ts'
import { explainFullDisk } from './diskErrors.ts'
import { isPostgres } from './processes.ts'
import { rotateLog, runCluster, stopCluster } from './runCluster.ts'

export interface EmbeddedDatabase {
  connection: EmbeddedConnection
  /** Whether a running server was adopted. */
  isAdopted: boolean
  /** Stops the watch, then the server (`pg_ctl -m fast stop`). */
  stop(): Promise<void>
  /** Restarts the server when it dies. Returns a function that stops watching. */
  watch(): () => void
}

/**
 * Starts the PostgreSQL in `dataDir`, which is created if needed, or adopts the running one. The caller has claimed
 * `dataDir` (claimDataDir). `noSync` skips initdb's fsync, for tests.
 * @throws Error whose message tells the operator what to do.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: (message: string, details?: object) => void
  noSync?: boolean
}): Promise<EmbeddedDatabase> {
  const explainError = explainFullDisk(options.dataDir)
  const cluster = await openCluster(options.dataDir, options.noSync ?? false).catch(explainError)
  const { connection, isAdopted } = await runWithRole(cluster, () =>
    options.log('waiting for the database, which starts, recovers or stops', { log: cluster.logFile }),
  ).catch(async (error: unknown) => {
    // A server that nobody owns would run on, and the next start would wait for it.
    await stopCluster(cluster).catch(() => {})
    return explainError(error)
  })
  options.log(isAdopted ? 'adopted the running database' : 'started the database', { dir: cluster.dir })

  let endWatch = async () => {}
  return {
    connection,
    isAdopted,
    async stop() {
      await endWatch()
      await stopCluster(cluster)
    },
    watch() {
      void endWatch()
      const stopWatch = watchCluster(cluster, connection, options.log)
      endWatch = stopWatch
      return () => void stopWatch()
    },
  }
}

/** A data folder of an earlier version lacks the role that serves. */
async function runWithRole(cluster: Cluster, onWait: () => void) {
  const started = await runCluster(cluster, { onWait })
  await createServerRole(started.connection)
  return started
}

/**
 * Checks twice a second whether the server lives, and restarts it at the same address. Returns a function that stops
 * watching and resolves when no restart is under way.
 */
function watchCluster(
  cluster: Cluster,
  connection: EmbeddedConnection,
  log: (message: string, details?: object) => void,
): () => Promise<void> {
  const controller = new AbortController()
  const done = watchLoop(cluster, connection, log, controller.signal)
  return () => {
    controller.abort()
    return done
  }
}

async function watchLoop(
  cluster: Cluster,
  connection: EmbeddedConnection,
  log: (message: string, details?: object) => void,
  abortSignal: AbortSignal,
): Promise<void> {
  let pause = interval
  while (await waitUnlessAborted(pause, abortSignal)) {
    try {
      await rotateLog(cluster.logFile)
      pause = interval
      if (await isAlive(cluster)) continue
      log('the database ended unexpectedly; restarting it')
      await runCluster(cluster, { previous: connection, abortSignal })
      log('the database was restarted')
    } catch (error) {
      if (abortSignal.aborted) return
      pause = Math.min(pause * 2, maxPause)
      log('the database could not be restarted; will retry', { error: String(error), inMs: pause })
    }
  }
}

const interval = 500
const maxPause = 10_000

async function isAlive(cluster: Cluster): Promise<boolean> {
  const file = await readPidFile(cluster.dir)
  return file !== null && (await isPostgres(file.pid, cluster.dir))
}

function waitUnlessAborted(ms: number, abortSignal: AbortSignal): Promise<boolean> {
  return wait(ms, !abortSignal.aborted, { signal: abortSignal, ref: false }).catch(() => false)
}
