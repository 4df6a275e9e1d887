import { openCluster } from './cluster.ts'
import type { EmbeddedConnection } from './probe.ts'
import { runCluster, stopCluster } from './runCluster.ts'
import { watchCluster } from './watch.ts'

export interface EmbeddedDatabase {
  connection: EmbeddedConnection
  /** true when a running postmaster was adopted rather than started. */
  adopted: boolean
  /** `pg_ctl -m fast stop`; resolves once it is down. Ends the watch first. */
  stop(): Promise<void>
  /** Starts watching: brings the database back when it dies. Returns a function that ends the watch. */
  watch(): () => void
}

/**
 * The project's own PostgreSQL in `dataDir`: set up if absent, adopted if running, else started.
 * The caller holds the claim on `dataDir` (claimDataDir). `noSync` leaves out initdb's sync, for tests.
 * Throws an Error whose message tells the operator what to do.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: (message: string, details?: object) => void
  noSync?: boolean
}): Promise<EmbeddedDatabase> {
  const cluster = await openCluster(options.dataDir, options.noSync ?? false)
  const { connection, adopted } = await runCluster(cluster)
  options.log(adopted ? 'adopted the running database' : 'started the database', { dir: cluster.dir })

  let endWatch = async () => {}
  return {
    connection,
    adopted,
    async stop() {
      await endWatch()
      await stopCluster(cluster)
    },
    watch() {
      void endWatch()
      const end = watchCluster(cluster, connection, options.log)
      endWatch = end
      return () => void end()
    },
  }
}
