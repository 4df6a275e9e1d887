import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Binaries, DATABASE_URL_HINT, findBinaries } from './binaries.ts'
import { isUnsupportedByDisk } from './diskErrors.ts'
import { changeOwner, chooseRunAs, type RunAs, runPostgresProgram } from './runAs.ts'

/** An initialised cluster and what is needed to run it. */
export interface Cluster {
  binaries: Binaries
  runAs: RunAs
  dir: string
  logFile: string
  /** Windows only. */
  password?: string
}

/** Where PostgreSQL listens. */
export interface Address {
  /** Empty on Windows, where the port is one of 127.0.0.1. */
  socketFolder: string
  port: number
}

export const clusterUser = 'banger'

export function clusterDirOf(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'postgres')
}

/**
 * The cluster in `dataDir`, created by initdb if there is none.
 * @throws Error for the operator when it belongs to another major version or cannot be created.
 */
export async function openCluster(dataDir: string, noSync: boolean): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const binaries = await findBinaries()
  const dir = clusterDirOf(dataDir)
  const major = await readMajor(dir)
  if (major !== null && major !== binaries.major) {
    throw new Error(
      `${dir} contains a database of PostgreSQL ${major}, but the built-in PostgreSQL is ${binaries.major}. Nothing was changed. To migrate it, run "npm run backup -- FILE" with the version of Banger or Bust that wrote it, move ${dir} away, and run "npm run restore -- FILE" with this one. Or set DATA_DIR to another folder, ${DATABASE_URL_HINT}`,
    )
  }
  const runAs = await chooseRunAs(dir, path.dirname(binaries.pgCtl))
  if (major === null) await initialise(dir, binaries, runAs, noSync)
  const password = process.platform === 'win32' ? await readPassword(dir) : undefined
  return { binaries, runAs, dir, logFile: `${dir}.log`, password }
}

/** The password of a cluster that listens on loopback (Windows). */
export async function readPassword(clusterDir: string): Promise<string> {
  return (await readFile(`${clusterDir}-password`, 'utf8')).trim()
}

/** Whether a data folder has a database. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await readMajor(clusterDirOf(dataDir))) !== null
}

async function readMajor(dir: string): Promise<string | null> {
  try {
    return (await readFile(path.join(dir, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Creates the cluster in a draft folder and renames that at the end, so that an interrupted initdb leaves nothing behind.
 * The draft has a new name each time, because the initdb of a killed start may still be writing.
 */
async function initialise(dir: string, binaries: Binaries, runAs: RunAs, noSync: boolean): Promise<void> {
  await sweepDrafts(dir)
  const draft = `${dir}.new-${randomBytes(4).toString('hex')}`
  await mkdir(draft, { mode: 0o700 })
  await changeOwner(draft, runAs)
  const options = ['-D', draft, '-U', clusterUser, '--no-instructions', ...(noSync ? ['--no-sync'] : [])]
  const { code, output } = await runPostgresProgram(
    binaries.initdb,
    [...options, ...fixedOptions, ...(await passwordOptions(dir))],
    runAs,
  )
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true })
    throw new Error(
      `PostgreSQL could not set up ${dir}:\n${output}\nSet DATA_DIR to a folder on a local disk, ${DATABASE_URL_HINT}`,
    )
  }
  // initdb has flushed the rest. Without a flush a power cut could leave a file of zeros, with which no database starts.
  await appendFile(path.join(draft, 'postgresql.conf'), `\ninclude '${settingsFile}'\n`, { flush: !noSync })
  await rename(draft, dir).catch((error) => {
    throw new Error(
      `${dir} exists but contains no database (${error}). Move it away, set DATA_DIR to another folder, ${DATABASE_URL_HINT}`,
    )
  })
  if (!noSync) await syncFolder(path.dirname(dir))
}

async function sweepDrafts(dir: string): Promise<void> {
  for (const name of await readdir(path.dirname(dir))) {
    if (!name.startsWith(`${path.basename(dir)}.new-`)) continue
    await rm(path.join(path.dirname(dir), name), { recursive: true, force: true }).catch(() => {})
  }
}

// Text is sorted by code point, the same in every version and on every system.
const fixedOptions = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=trust', // the socket's folder lets only its owner in
  '--auth-host=scram-sha-256',
]

async function passwordOptions(dir: string): Promise<string[]> {
  if (process.platform !== 'win32') return []
  await writeFile(`${dir}-password`, randomBytes(32).toString('hex'), { mode: 0o600 })
  return [`--pwfile=${dir}-password`]
}

/** Flushes the folder's entries to disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!isUnsupportedByDisk(error)) throw error
  } finally {
    await handle.close()
  }
}

/** Our settings. postgresql.conf includes this file, which every start rewrites. */
const settingsFile = 'banger-or-bust.conf'

/** Writes the cluster's settings: every commit durable, one unix socket (on Windows one loopback port). */
export async function writeSettings(clusterDir: string, at: Address, runAs: RunAs): Promise<void> {
  const settings = {
    listen_addresses: at.socketFolder ? '' : '127.0.0.1',
    port: at.port,
    unix_socket_directories: at.socketFolder,
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: '128MB',
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // stderr goes to DATA_DIR/postgres.log, which startEmbedded.ts rotates.
    logging_collector: 'off',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
  }
  const lines = Object.entries(settings).map(
    ([key, value]) => `${key} = '${String(value).replaceAll("'", "''")}'`,
  )
  // Renamed into place, so that a starting server never reads half of it.
  const draft = path.join(clusterDir, `${settingsFile}.${process.pid}`)
  await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600 })
  await changeOwner(draft, runAs)
  await rename(draft, path.join(clusterDir, settingsFile))
}
