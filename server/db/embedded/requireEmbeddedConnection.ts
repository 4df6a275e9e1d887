import { clusterDirOf, readPassword } from './cluster.ts'
import type { EmbeddedConnection } from './probe.ts'
import { readConnection } from './runCluster.ts'

/**
 * The address of the embedded database that runs in `dataDir`, for command-line programs.
 * @throws Error when none runs.
 */
export async function requireEmbeddedConnection(dataDir: string): Promise<EmbeddedConnection> {
  const dir = clusterDirOf(dataDir)
  const password = process.platform === 'win32' ? await readPassword(dir) : undefined
  const connection = await readConnection(dir, password)
  if (!connection) throw new Error(`No database runs in ${dir}.`)
  return connection
}
