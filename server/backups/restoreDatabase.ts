import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type ConnectionTarget, withDatabase } from '../db/connection.ts'
import { claimDataDir } from '../db/embedded/claimDataDir.ts'
import { clusterDirOf } from '../db/embedded/cluster.ts'
import { startEmbedded } from '../db/embedded/startEmbedded.ts'
import type { Env } from '../env.ts'
import { loadBackup, readHeader } from './loadBackup.ts'

export interface RestoredBackup {
  rows: Record<string, number>
  takenAt: string
}

/**
 * Restores a backup for the server, into DATABASE_URL or a new embedded database in DATA_DIR.
 * @throws Error for the operator when there is data already, a server runs, or the file is invalid. Nothing is changed
 * then.
 */
export async function restoreDatabase(file: string, env: Env): Promise<RestoredBackup> {
  const { takenAt } = await readHeader(file)
  if (env.DATABASE_URL) {
    await requireEmpty(env.DATABASE_URL)
    return { rows: await loadWithoutBackupLog(file, env.DATABASE_URL), takenAt }
  }
  const claim = await claimDataDir(env.DATA_DIR)
  try {
    return { rows: await restoreEmbedded(file, path.resolve(env.DATA_DIR), env.NODE_ENV === 'test'), takenAt }
  } finally {
    await claim.release()
  }
}

/** Restores into a temporary folder and renames that at the end, so that an interrupted restore leaves nothing. */
async function restoreEmbedded(
  file: string,
  dataDir: string,
  noSync: boolean,
): Promise<Record<string, number>> {
  const place = clusterDirOf(dataDir)
  if (await stat(place).catch(() => null)) {
    throw new Error(
      `${place} exists, and a restore never replaces data. Nothing was changed. Move it away, or set DATA_DIR to a new folder.`,
    )
  }
  const scratch = path.join(dataDir, `restoring-${randomBytes(4).toString('hex')}`)
  await mkdir(scratch, { mode: 0o700 })
  try {
    const embedded = await startEmbedded({ dataDir: scratch, log: () => {}, noSync })
    const rows = await loadWithoutBackupLog(file, embedded.connection).finally(() => embedded.stop())
    if (process.platform === 'win32') await rename(`${clusterDirOf(scratch)}-password`, `${place}-password`)
    await rename(clusterDirOf(scratch), place)
    return rows
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Deletes the records of the source's backups: the restored service has none, and its first one is due at once. */
async function loadWithoutBackupLog(file: string, target: ConnectionTarget): Promise<Record<string, number>> {
  const rows = await loadBackup(file, target)
  await withDatabase(target, (db) => db`delete from backups`)
  return rows
}

async function requireEmpty(databaseUrl: string): Promise<void> {
  const [table] = await withDatabase(
    databaseUrl,
    (db) => db`
      select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
  )
  if (table)
    throw new Error(
      'The database at DATABASE_URL already has tables. Nothing was changed. Restore into an empty database.',
    )
}
