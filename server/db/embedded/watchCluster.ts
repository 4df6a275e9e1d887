import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { readPidFile } from './pidFile.ts'
import type { EmbeddedConnection } from './probe.ts'
import { isPostgres } from './processes.ts'
import { runCluster } from './runCluster.ts'
import { rotateLog } from './serverLog.ts'

/**
 * Checks twice a second whether the server lives, and restarts it at the same address. Returns a function that
 * stops watching and resolves when no restart is running.
 */
export function watchCluster(
  cluster: Cluster,
  connection: EmbeddedConnection,
  log: (message: string, details?: object) => void,
): () => Promise<void> {
  const abortSignal = new AbortController()
  const done = watchLoop(cluster, connection, log, abortSignal.signal)
  return () => {
    abortSignal.abort()
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
