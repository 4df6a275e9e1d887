import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { reserveBytes } from '../integrations/storage/DiskReserve.ts'
import { type Finding, findingsFor, reasonOf } from './finding.ts'

interface Disk {
  bavail: number
  blocks: number
  bsize: number
}

/** How much of its reserve of the disk is left, in times: uploads are refused at one. */
const WARNING_FACTOR = 5

/** The disk of DATA_DIR. That of another database is not in sight. */
export async function checkDisk(
  env: Env,
  read: (folder: string) => Promise<Disk> = statfs,
): Promise<Finding> {
  const { ok, warning, fault } = findingsFor('Disk')
  const folder = resolve(env.DATA_DIR)
  try {
    const disk = await read(folder)
    const free = disk.bavail * disk.bsize
    const reserve = reserveBytes(disk)
    const freeMessage = `${(free / 1024 ** 3).toFixed(1)} GiB are free at ${folder}`
    if (free < reserve) return fault(`${freeMessage}: uploads are refused, so make room`)
    if (free < WARNING_FACTOR * reserve)
      return warning(`${freeMessage}: make room before uploads are refused`)
    return ok(freeMessage)
  } catch (error) {
    return warning(`${folder} cannot be looked at (${reasonOf(error)})`)
  }
}
