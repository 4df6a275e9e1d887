import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Why no backup can be written to BACKUP_DIR, and what to do; null when one can. A folder on a disk that is not mounted
 * does not exist. Creating it would back up to the wrong disk.
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
