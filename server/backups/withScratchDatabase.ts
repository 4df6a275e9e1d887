import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionTarget, type Database, NO_STATEMENT_TIMEOUT, withDatabase } from '../db/connection.ts'
import { clusterDirOf } from '../db/embedded/cluster.ts'
import { readPidFile } from '../db/embedded/connection.ts'
import { isPostgres } from '../db/embedded/processes.ts'
import { removeShortFolder } from '../db/embedded/socketAddress.ts'
import { startEmbedded } from '../db/embedded/startEmbedded.ts'
import type { Env } from '../env.ts'
import { type ReadDisk, requireDiskSpace } from './requireDiskSpace.ts'

/** There is no place to restore a backup to. The message says why. */
export class CannotProve extends Error {}

interface Options {
  signal: AbortSignal
  readDisk: ReadDisk
  /** Bytes of the database that will be restored. */
  size: number
}

interface Scratch {
  target: ConnectionTarget
  remove(): Promise<void>
}

/**
 * Provides an empty database and deletes it afterwards: one of a second embedded PostgreSQL, which leaves the server's
 * alone, or else one beside the server's, where its role may create databases. The caller has the backups' lock.
 * @throws CannotProve when neither is possible.
 */
export async function withScratchDatabase(
  env: Env,
  target: ConnectionTarget,
  options: Options,
  use: (scratch: ConnectionTarget) => Promise<void>,
): Promise<void> {
  const { target: scratch, remove } = await openScratch(env, target, options)
  // Ends the restore, too.
  const interrupt = () => void remove()
  options.signal.addEventListener('abort', interrupt)
  try {
    options.signal.throwIfAborted()
    await use(scratch)
  } finally {
    options.signal.removeEventListener('abort', interrupt)
    await remove()
  }
}

async function openScratch(env: Env, target: ConnectionTarget, options: Options): Promise<Scratch> {
  const strategies = [() => startScratchCluster(env.DATA_DIR, options)]
  if (typeof target === 'string') strategies.push(() => createScratchDatabase(target))
  const reasons: string[] = []
  for (const open of strategies) {
    try {
      return await open()
    } catch (error) {
      options.signal.throwIfAborted()
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new CannotProve(reasons.join(' '))
}

/** The rows, their log (WAL), and the files that every PostgreSQL has. */
const requiredBytes = (size: number) => 2 * size + 100 * 1024 ** 2

async function startScratchCluster(dataDir: string, { readDisk, size }: Options): Promise<Scratch> {
  const folder = path.resolve(dataDir, 'proof')
  await mkdir(path.dirname(folder), { recursive: true })
  await removeCluster(folder)
  await requireDiskSpace(path.dirname(folder), requiredBytes(size), 'restoring a backup', readDisk)
  await mkdir(folder, { mode: 0o700 })
  try {
    const embedded = await startEmbedded({ dataDir: folder, log: () => {}, noSync: true })
    return { target: embedded.connection, remove: once(() => removeCluster(folder)) }
  } catch (error) {
    await removeCluster(folder)
    throw error
  }
}

/** Its data is not needed: an immediate shutdown writes nothing. Also for one that was left by a killed process. */
async function removeCluster(folder: string): Promise<void> {
  const clusterDir = clusterDirOf(folder)
  const { pid = 0, socketFolder = '' } = (await readPidFile(clusterDir)) ?? {}
  for (let tries = 0; tries < 100 && (await isPostgres(pid, clusterDir)); tries++) {
    if (tries === 0) process.kill(pid, 'SIGQUIT')
    await wait(100)
  }
  await removeShortFolder(socketFolder)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function createScratchDatabase(target: string): Promise<Scratch> {
  // The same name each time, so that one that was left by a killed process is found.
  const name = `banger_or_bust_proof_${createHash('sha256').update(target).digest('hex').slice(0, 8)}`
  const admin = (use: (db: Database) => PromiseLike<unknown>) =>
    withDatabase(target, use, NO_STATEMENT_TIMEOUT)
  await admin((db) => db`drop database if exists ${db(name)} with (force)`)
  await admin((db) => db`create database ${db(name)}`)
  return {
    target: target.replace(/^(\w+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${name}`),
    remove: once(
      async () => void (await admin((db) => db`drop database if exists ${db(name)} with (force)`)),
    ),
  }
}

/** Called again, it waits for the first call. */
function once(remove: () => Promise<void>): () => Promise<void> {
  let removed: Promise<void> | undefined
  return () => {
    removed ??= remove()
    return removed
  }
}
