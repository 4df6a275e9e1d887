import type { StatsFs } from 'node:fs'
import { reserveBytes } from '../integrations/storage/DiskReserve.ts'

export type ReadDisk = (folder: string) => Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>>

/**
 * @param bytes that are about to be written, for `what`.
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
