import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { readPidFile } from './pidFile.ts'
import type { EmbeddedConnection } from './probe.ts'
import { isPostgres } from './processes.ts'
import { runCluster } from './runCluster.ts'
import { boundLog } from './serverLog.ts'

/**
 * Checks twice a second whether the server lives, and restarts it at the same address. Returns a function that
 * stops watching and resolves when no restart is running.
 */
export function watchCluster(
  cluster: Cluster,
  connection: EmbeddedConnection,
  log: (message: string, details?: object) => void,
): () => Promise<void> {
  const ended = new AbortController()
  const done = keepLooking(cluster, connection, log, ended.signal)
  return () => {
    ended.abort()
    return done
  }
}

async function keepLooking(
  cluster: Cluster,
  connection: EmbeddedConnection,
  log: (message: string, details?: object) => void,
  ended: AbortSignal,
): Promise<void> {
  let pause = interval
  while (await pauseUnlessEnded(pause, ended)) {
    try {
      await boundLog(cluster.logFile)
      pause = interval
      if (await isAlive(cluster)) continue
      log('the database ended unexpectedly; restarting it')
      await runCluster(cluster, { previous: connection, abortSignal: ended })
      log('the database was restarted')
    } catch (error) {
      if (ended.aborted) return
      pause = Math.min(pause * 2, longestPause)
      log('the database could not be restarted; will retry', { error: String(error), inMs: pause })
    }
  }
}

const interval = 500
const longestPause = 10_000

async function isAlive(cluster: Cluster): Promise<boolean> {
  const file = await readPidFile(cluster.dir)
  return file !== null && (await isPostgres(file.pid, cluster.dir))
}

function pauseUnlessEnded(ms: number, ended: AbortSignal): Promise<boolean> {
  return wait(ms, !ended.aborted, { signal: ended, ref: false }).catch(() => false)
}
