import { statfs } from 'node:fs/promises'
import path from 'node:path'

/** Bytes with which no database starts. */
const MIN_FREE_BYTES = 256 * 1024

/** What Node, PostgreSQL and the system say of a disk or a quota that is full. */
const DISK_FULL_ERROR = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|could not extend file/i

/** Whether nothing can be written to the disk of a folder. PostgreSQL cannot say so in its log, which is there too. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < MIN_FREE_BYTES
}

/** Says what to do where a start failed because the disk is full. */
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
