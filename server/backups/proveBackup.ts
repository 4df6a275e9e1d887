import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { recount } from '../community/recount.ts'
import { rollUp } from '../community/rollUp.ts'
import { type ConnectionTarget, type Database, NO_STATEMENT_TIMEOUT, withDatabase } from '../db/connection.ts'
import { clusterDirOf } from '../db/embedded/cluster.ts'
import { readPidFile } from '../db/embedded/connection.ts'
import { isPostgres } from '../db/embedded/processes.ts'
import { removeShortFolder } from '../db/embedded/socketAddress.ts'
import { startEmbedded } from '../db/embedded/startEmbedded.ts'
import type { Env } from '../env.ts'
import { type ReadDisk, requireDiskSpace } from './backupFolder.ts'
import { loadBackup } from './loadBackup.ts'

/**
 * Restores a backup into an empty database, and compares the number of rows of each table with those that were written,
 * and all totals with what they count.
 * @throws Error that says what differs, or why the backup cannot be restored.
 */
export async function proveBackup(
  file: string,
  written: Record<string, number>,
  scratch: ConnectionTarget,
): Promise<void> {
  await loadBackup(file, scratch)
  const compare = async (db: Database) => {
    const found = await countRows(db, Object.keys(written))
    const different = Object.entries(written).filter(([table, rows]) => found.get(table) !== rows)
    if (different.length > 0) {
      const list = different.map(
        ([table, rows]) => `${table} has ${found.get(table)} rows instead of ${rows}`,
      )
      throw new Error(`${list.join(', ')}.`)
    }
    await rollUp(db)
    const wrong = Object.entries(await recount(db)).flatMap(([kind, rows]) =>
      rows > 0 ? [`${rows} ${kind}`] : [],
    )
    if (wrong.length > 0)
      throw new Error(
        `The totals of ${wrong.join(', ')} are wrong. Correct them: npm run database -- recount`,
      )
  }
  await withDatabase(scratch, compare, NO_STATEMENT_TIMEOUT)
}

async function countRows(db: Database, tables: string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const table of tables) {
    const [row] = await db<{ rows: number }[]>`select count(*)::float8 as rows from ${db(table)}`
    counts.set(table, row?.rows ?? 0)
  }
  return counts
}

/** There is no database to restore a backup into. The message says why. */
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
 * Creates an empty database for `use` and deletes it afterwards: in a second embedded PostgreSQL, or else beside the
 * server's database, if its role may create databases. The caller holds the lock of backups.
 * @throws CannotProve when neither is possible.
 */
export async function withScratchDatabase(
  env: Env,
  target: ConnectionTarget,
  options: Options,
  use: (scratch: ConnectionTarget) => Promise<void>,
): Promise<void> {
  const { target: scratch, remove } = await openScratch(env, target, options)
  // This also ends a restore under way.
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

/** For the rows, their write-ahead log, and the files that every PostgreSQL has. */
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

/** Shuts a cluster down at once, because its data is not needed, and deletes it. A killed process may have left it. */
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
  // The same name each time, to find a database that a killed process left.
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

/** Runs `remove` at the first call; further calls wait for it. */
function once(remove: () => Promise<void>): () => Promise<void> {
  let removed: Promise<void> | undefined
  return () => {
    removed ??= remove()
    return removed
  }
}
