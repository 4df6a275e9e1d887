import { statfs } from 'node:fs/promises'
import path from 'node:path'

/** Bytes; no database starts with fewer. */
const MIN_FREE_BYTES = 256 * 1024

/** What Node, PostgreSQL and the system say of a disk or a quota that is full. */
const DISK_FULL_ERROR = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|could not extend file/i

/** Whether the folder's disk is full. PostgreSQL cannot log that, because its log is on the same disk. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < MIN_FREE_BYTES
}

/** Handles the error of a start: throws it, or one that says what to do if the disk is full. */
export const explainFullDisk =
  (dataDir: string) =>
  async (error: unknown): Promise<never> => {
    const reason = error instanceof Error ? error.message : String(error)
    if (!DISK_FULL_ERROR.test(reason) && !(await isDiskFull(dataDir).catch(() => false))) throw error
    throw new Error(
      `The disk of DATA_DIR ${path.resolve(dataDir)} is full. Make room on it and start again, or set DATA_DIR to a folder on another disk. What failed: ${reason}`,
      { cause: error },
    )
  }

const UNSUPPORTED_CODES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'])

/** Whether the disk has no hard links, no sockets or no flush of folders, as exFAT and network shares. */
export const isUnsupportedByDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNSUPPORTED_CODES.has(String(error.code))
