import { clusterDirOf, readPassword } from './cluster.ts'
import type { EmbeddedConnection } from './probe.ts'
import { readConnection } from './runCluster.ts'

/**
 * The address of the embedded database that runs in `dataDir`, for a program beside the server.
 * Throws an Error when none runs there.
 */
export async function embeddedConnection(dataDir: string): Promise<EmbeddedConnection> {
  const dir = clusterDirOf(dataDir)
  const password = process.platform === 'win32' ? await readPassword(dir) : undefined
  const connection = await readConnection(dir, password)
  if (!connection) throw new Error(`No database runs in ${dir}.`)
  return connection
}
