import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rmdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Address, Cluster } from './cluster.ts'
import { type EmbeddedConnection, readPidFile } from './connection.ts'
import { changeOwner } from './runAs.ts'

/**
 * Chooses where the server will listen: in the cluster's folder, which only its owner may enter. If that path is too long
 * or has unusual characters, in a short temporary folder, the same as in the last run if possible. `previous` is kept.
 */
export async function chooseAddress(cluster: Cluster, previous?: EmbeddedConnection): Promise<Address> {
  if (process.platform === 'win32')
    return { socketFolder: '', port: previous?.port ?? (await findFreePort()) }
  if (plainPath.test(cluster.dir) && fitsSocket(path.join(cluster.dir, `.s.PGSQL.${socketPort}`))) {
    return { socketFolder: cluster.dir, port: socketPort }
  }
  const previousFolder = previous?.host ?? (await readPidFile(cluster.dir))?.socketFolder
  if (previousFolder && (await isShortFolder(previousFolder, cluster.runAs.uid)))
    return { socketFolder: previousFolder, port: socketPort }
  const folder = await makeShortFolder(previous?.host)
  await changeOwner(folder, cluster.runAs)
  return { socketFolder: folder, port: socketPort }
}

/** Part of the socket's name only; nothing listens on TCP. */
const socketPort = 5432

/** A path that needs no quoting in PostgreSQL's list of socket folders. */
const plainPath = /^[\p{L}\p{N}_@+=./ -]+$/u

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}

/** Whether a path fits a socket address: sun_path has 108 bytes on Linux and 104 on macOS, with the final zero. */
export function fitsSocket(socketPath: string): boolean {
  return Buffer.byteLength(socketPath) <= (process.platform === 'linux' ? 107 : 103)
}

/**
 * Creates a private folder with a short, unguessable path, for the sockets of a data folder whose own path is too long.
 * `previous` is recreated instead if it is given.
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

/** Whether this is one of our short folders, and private. */
export async function isShortFolder(folder: string, uid?: number): Promise<boolean> {
  if (!path.basename(folder).startsWith(shortPrefix)) return false
  const found = await lstat(folder).catch(() => null)
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  return found.uid === (uid ?? process.getuid?.())
}

/** Deletes one of our short folders, unless it has sockets. */
export async function removeShortFolder(folder: string): Promise<void> {
  if (path.basename(folder).startsWith(shortPrefix)) await rmdir(folder).catch(() => {})
}

const shortPrefix = 'banger-'
const longestName = '.s.PGSQL.65535'
