import { openCluster } from './cluster.ts'
import { explainFullDisk } from './fullDisk.ts'
import type { EmbeddedConnection } from './probe.ts'
import { runCluster, stopCluster } from './runCluster.ts'
import { watchCluster } from './watchCluster.ts'

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
 * Starts PostgreSQL in `dataDir`: initialises it if needed, and adopts a running server. The caller has claimed
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
  const { connection, isAdopted } = await runCluster(cluster, {
    onWait: () =>
      options.log('waiting for the database, which starts, recovers or stops', { log: cluster.logFile }),
  }).catch(async (error: unknown) => {
    // Without an owner it would run on, and the next start would wait for it.
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
