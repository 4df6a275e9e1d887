import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rmdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/**
 * Whether the path fits a socket address: sun_path has 108 bytes on Linux and 104 on macOS, with the final zero.
 */
export function fitsSocket(socketPath: string): boolean {
  return Buffer.byteLength(socketPath) <= (process.platform === 'linux' ? 107 : 103)
}

/**
 * Creates a short private folder with an unguessable name, for sockets of a deep data folder. `again` recreates one
 * that has disappeared.
 */
export async function makeShortFolder(previous?: string): Promise<string> {
  if (previous !== undefined) {
    await mkdir(previous, { mode: 0o700 })
    return previous
  }
  for (const parent of [os.tmpdir(), '/tmp']) {
    const folder = path.join(parent, `${shortPrefix}${randomBytes(9).toString('hex')}`)
    if (!fitsSocket(path.join(folder, longestName))) continue
    await mkdir(folder, { mode: 0o700 })
    return folder
  }
  throw new Error(`The path of TMPDIR (${os.tmpdir()}) is too long for a socket. Set a shorter one.`)
}

/** Whether this is one of our short folders and still private. */
export async function isShortFolder(folder: string, uid?: number): Promise<boolean> {
  if (!path.basename(folder).startsWith(shortPrefix)) return false
  const found = await lstat(folder).catch(() => null)
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  return found.uid === (uid ?? process.getuid?.())
}

/** Deletes one of our short folders once its sockets are gone. */
export async function removeShortFolder(folder: string): Promise<void> {
  if (path.basename(folder).startsWith(shortPrefix)) await rmdir(folder).catch(() => {})
}

const shortPrefix = 'banger-'
const longestName = '.s.PGSQL.65535'
