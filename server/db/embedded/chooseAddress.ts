import { createServer } from 'node:net'
import path from 'node:path'
import type { Cluster } from './cluster.ts'
import { readPidFile } from './pidFile.ts'
import type { EmbeddedConnection } from './probe.ts'
import { changeOwner } from './runAs.ts'
import { fitsSocket, isShortFolder, makeShortFolder } from './socketFolder.ts'

export interface Address {
  /** Empty means loopback (Windows). */
  socketFolder: string
  port: number
}

/**
 * Where a new server listens: in the cluster's folder, which only its owner may enter. When that path is too long
 * or has unusual characters, in a short temporary folder, if possible that of the last run. `again` keeps the
 * address of an earlier run.
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

/** Only part of the socket's name; nothing listens on TCP. */
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
