import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DATABASE_URL_HINT } from './binaries.ts'
import { type Address, type Cluster, writeSettings } from './cluster.ts'
import {
  connectionAt,
  createDatabase,
  type EmbeddedConnection,
  probe,
  readConnection,
  readPidFile,
} from './connection.ts'
import { isDiskFull } from './diskErrors.ts'
import { findProcesses, isPostgres } from './processes.ts'
import { runPostgresProgram } from './runAs.ts'
import { chooseAddress, removeShortFolder } from './socketAddress.ts'

interface RunOptions {
  /** The connection of an earlier run, whose address is kept. */
  previous?: EmbeddedConnection
  abortSignal?: AbortSignal
  /** Called when it takes longer than an ordinary start. */
  onWait?: () => void
}

/** Adopts the cluster's running server or starts one, and creates our database if needed. */
export async function runCluster(
  cluster: Cluster,
  { onWait = () => {}, ...options }: RunOptions,
): Promise<{ connection: EmbeddedConnection; isAdopted: boolean }> {
  const late = setTimeout(onWait, slowStartAfter)
  return bringUp(cluster, options).finally(() => clearTimeout(late))
}

async function bringUp(
  cluster: Cluster,
  { previous, abortSignal }: RunOptions,
): Promise<{ connection: EmbeddedConnection; isAdopted: boolean }> {
  const started = Date.now()
  for (let attempt = 0; ; attempt++) {
    abortSignal?.throwIfAborted()
    const running = await findRunning(cluster)
    if (running) {
      if (running.state === 'empty') await createDatabase(running.connection)
      return { connection: running.connection, isAdopted: true }
    }
    const processes = await findProcesses(cluster.dir)
    if (!processes || processes.length === 0) {
      const connection = await start(cluster, previous, attempt)
      if (connection) return { connection, isAdopted: false }
    } else {
      await resolveUnresponsive(cluster, processes, Date.now() - started)
    }
    const waited = Date.now() - started
    if (waited > startTimeout || (waited > slowStartAfter && (await isDiskFull(cluster.dir))))
      throw await startFailure(cluster)
    await wait(Math.min(100 * (attempt + 1), 1000))
  }
}

/** Stops the server and resolves once it is down. Does nothing when it is down already. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const file = await readPidFile(cluster.dir)
  if (file && (await isPostgres(file.pid, cluster.dir))) await pgCtlStop(cluster)
  if (file) await removeShortFolder(file.socketFolder)
}

// Milliseconds. Crash recovery takes minutes at most, because checkpoints happen every five.
const startTimeout = 5 * 60_000
const slowStartAfter = 5000
/** Starts that fail before files of a dead server are deleted. */
const attemptsBeforeCleanup = 1

async function findRunning(cluster: Cluster) {
  const connection = await readConnection(cluster.dir, cluster.password)
  if (!connection) return null
  const state = await probe(connection)
  return state === 'ready' || state === 'empty' ? { connection, state } : null
}

/** Ends processes that use the folder and do not answer, unless they are starting or stopping. */
async function resolveUnresponsive(cluster: Cluster, processes: number[], waited: number): Promise<void> {
  const postmaster = (await readPidFile(cluster.dir))?.pid ?? 0
  if (!processes.includes(postmaster)) {
    // Children of a killed postmaster. PostgreSQL refuses to start while they live.
    if (postmaster) for (const pid of processes) signal(pid, waited > 5000 ? 'SIGKILL' : 'SIGQUIT')
    return
  }
  // A running server whose socket was deleted cannot be reached any more.
  const connection = await readConnection(cluster.dir, cluster.password)
  if (waited > 3000 && connection && (await probe(connection)) === 'down') await pgCtlStop(cluster)
}

async function start(
  cluster: Cluster,
  previous: EmbeddedConnection | undefined,
  attempt: number,
): Promise<EmbeddedConnection | null> {
  const at = await chooseAddress(cluster, previous)
  await writeSettings(cluster.dir, at, cluster.runAs)
  const { code } = await withLog(cluster.logFile, (logFd) =>
    pgCtl(cluster, ['start', '-w', '-t', '60', '-s'], logFd),
  )
  const connection = connectionAt(at, cluster.password)
  if (code === 0) {
    const state = await probe(connection)
    if (state === 'empty') await createDatabase(connection)
    if (state === 'ready' || state === 'empty') return connection
    return null
  }
  await handleRefusal(cluster, at, attempt)
  return null
}

/**
 * Called when pg_ctl failed. PostgreSQL mistakes a zombie, or a reused process id, for a live postmaster. At the second
 * failure this deletes the postmaster's files, but only if no process uses the folder.
 */
async function handleRefusal(cluster: Cluster, at: Address, attempt: number): Promise<void> {
  const processes = await findProcesses(cluster.dir)
  if (processes && processes.length > 0) return
  const stalePidFile = await readPidFile(cluster.dir)
  if (attempt < attemptsBeforeCleanup) return
  if (!stalePidFile || !processes) throw await startFailure(cluster)
  await rm(path.join(cluster.dir, 'postmaster.pid'), { force: true })
  await rm(path.join(at.socketFolder, `.s.PGSQL.${at.port}`), { force: true })
  await rm(path.join(at.socketFolder, `.s.PGSQL.${at.port}.lock`), { force: true })
}

async function startFailure(cluster: Cluster): Promise<Error> {
  return new Error(
    `The built-in PostgreSQL in ${cluster.dir} does not start. The end of ${cluster.logFile}:\n${await readLogEnd(cluster.logFile)}\nFix that, ${DATABASE_URL_HINT}`,
  )
}

async function pgCtlStop(cluster: Cluster): Promise<void> {
  const { code, output } = await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '60', '-s'])
  if (code === 0) return
  const file = await readPidFile(cluster.dir)
  if (file && (await isPostgres(file.pid, cluster.dir))) {
    throw new Error(`The built-in PostgreSQL in ${cluster.dir} does not stop: ${output}`)
  }
}

/** Runs in the cluster's folder, because pg_ctl passes the path to a shell. */
function pgCtl(cluster: Cluster, args: string[], logFd?: number) {
  return runPostgresProgram(cluster.binaries.pgCtl, [...args, '-D', '.'], cluster.runAs, {
    cwd: cluster.dir,
    logFd,
  })
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has exited already.
  }
}

/** Opens PostgreSQL's log for appending. PostgreSQL inherits the descriptor, so its account needs no permissions. */
async function withLog<T>(file: string, use: (fd: number) => Promise<T>): Promise<T> {
  await rotateLog(file)
  const handle = await open(file, 'a', 0o600)
  try {
    return await use(handle.fd)
  } finally {
    await handle.close()
  }
}

/** Keeps the log and one earlier file (.1), about 5 MB each. */
export async function rotateLog(file: string): Promise<void> {
  const size = (await stat(file).catch(() => null))?.size ?? 0
  if (size <= maxLogBytes) return
  await copyFile(file, `${file}.1`)
  // PostgreSQL opened it for appending, so it goes on at the new end.
  await truncate(file)
}

/** The last lines of the log, for the error when the server does not start. */
async function readLogEnd(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-12).join('\n')
}

const maxLogBytes = 5 * 1024 * 1024
