import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { changeOwner, type RunAs } from './runAs.ts'

/** Our settings. postgresql.conf includes this file, and every start rewrites it. */
export const settingsFile = 'banger-or-bust.conf'

/** Writes the cluster's settings: durable, on one unix socket (on Windows one loopback port). */
export async function writeSettings(
  clusterDir: string,
  at: { socketFolder: string; port: number },
  runAs: RunAs,
): Promise<void> {
  const settings = {
    listen_addresses: at.socketFolder ? '' : '127.0.0.1',
    port: at.port,
    unix_socket_directories: at.socketFolder,
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: '128MB',
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // stderr goes to DATA_DIR/postgres.log, which the watch rotates.
    logging_collector: 'off',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
  }
  const lines = Object.entries(settings).map(
    ([key, value]) => `${key} = '${String(value).replaceAll("'", "''")}'`,
  )
  // Renamed into place, so that a starting server never reads half of it.
  const draft = path.join(clusterDir, `${settingsFile}.${process.pid}`)
  await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600 })
  await changeOwner(draft, runAs)
  await rename(draft, path.join(clusterDir, settingsFile))
}
