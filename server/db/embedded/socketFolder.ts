import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rmdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Whether a socket can stand at that path: sun_path is 108 bytes with its end on Linux, 104 on macOS. */
export function fitsSocket(socketPath: string): boolean {
  return Buffer.byteLength(socketPath) <= (process.platform === 'linux' ? 107 : 103)
}

/**
 * Makes a short folder that nobody else may enter and nobody can guess, for sockets of a deep data folder.
 * `again` makes one anew that has vanished.
 */
export async function makeShortFolder(again?: string): Promise<string> {
  if (again !== undefined) {
    await mkdir(again, { mode: 0o700 })
    return again
  }
  for (const parent of [os.tmpdir(), '/tmp']) {
    const folder = path.join(parent, `${shortPrefix}${randomBytes(9).toString('hex')}`)
    if (!fitsSocket(path.join(folder, longestName))) continue
    await mkdir(folder, { mode: 0o700 })
    return folder
  }
  throw new Error(`TMPDIR (${os.tmpdir()}) is too long a path for a socket. Set it to a shorter one.`)
}

/** Whether that is a short folder of ours that is still private, so that it can be used again. */
export async function isShortFolder(folder: string, uid?: number): Promise<boolean> {
  if (!path.basename(folder).startsWith(shortPrefix)) return false
  const found = await lstat(folder).catch(() => null)
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  return found.uid === (uid ?? process.getuid?.())
}

/** Removes a short folder once its sockets are gone; leaves every other folder alone. */
export async function removeShortFolder(folder: string): Promise<void> {
  if (path.basename(folder).startsWith(shortPrefix)) await rmdir(folder).catch(() => {})
}

const shortPrefix = 'banger-'
const longestName = '.s.PGSQL.65535'
