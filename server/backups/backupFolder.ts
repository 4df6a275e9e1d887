import type { StatsFs } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { reserveBytes } from '../integrations/storage/DiskReserve.ts'

/**
 * Why no backup can be written to BACKUP_DIR, and what to do; null when one can. A missing folder is not created: its disk
 * may not be mounted, and the backup would go to another disk.
 */
export async function findFolderFault(backupDir: string): Promise<string | null> {
  const folder = path.resolve(backupDir)
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) return `BACKUP_DIR ${folder} is not a folder. Create it, or mount its disk.`
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => null,
    () => `BACKUP_DIR ${folder} is not writable. Change its owner or its permissions.`,
  )
}

export type ReadDisk = (folder: string) => Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>>

/**
 * Call it before `bytes` are written for `what`.
 * @throws Error when they would leave less of the disk free than the database needs.
 */
export async function requireDiskSpace(
  folder: string,
  bytes: number,
  what: string,
  readDisk: ReadDisk,
): Promise<void> {
  const disk = await readDisk(folder)
  const free = disk.bavail * disk.bsize
  const reserve = reserveBytes(disk)
  if (free - bytes >= reserve) return
  throw new Error(
    `${folder} has ${mebibytes(free)} free. There, ${what} needs about ${mebibytes(bytes)}, and ${mebibytes(reserve)} stay free for the database.`,
  )
}

const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MiB`
