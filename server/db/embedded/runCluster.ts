import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Address, chooseAddress } from './chooseAddress.ts'
import { type Cluster, clusterUser } from './cluster.ts'
import { isDiskFull } from './fullDisk.ts'
import { readPidFile } from './pidFile.ts'
import { createDatabase, type EmbeddedConnection, probe } from './probe.ts'
import { findProcesses, isPostgres } from './processes.ts'
import { runPostgresProgram } from './runPostgresProgram.ts'
import { readLogEnd, withLog } from './serverLog.ts'
import { writeSettings } from './settings.ts'
import { removeShortFolder } from './socketFolder.ts'
import { DATABASE_URL_HINT } from './useDatabaseUrl.ts'

interface RunOptions {
  /** Keeps the address of an earlier run. */
  previous?: EmbeddedConnection
  /** Stops the retries. */
  abortSignal?: AbortSignal
  /** It takes longer than a start does. */
  onWait?: () => void
}

/** Brings the cluster up: adopts a running server or starts one, and creates our database if needed. */
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

/** The address in postmaster.pid; null without one. */
export async function readConnection(
  clusterDir: string,
  password?: string,
): Promise<EmbeddedConnection | null> {
  const file = await readPidFile(clusterDir)
  if (!file?.port) return null
  if (!file.socketFolder && process.platform !== 'win32') return null
  return connectionAt({ socketFolder: file.socketFolder, port: file.port }, password)
}

// Crash recovery takes minutes at most, because checkpoints happen every five.
const startTimeout = 5 * 60_000
const slowStartAfter = 5000
const attemptsBeforeCleanup = 1

async function findRunning(cluster: Cluster) {
  const connection = await readConnection(cluster.dir, cluster.password)
  if (!connection) return null
  const state = await probe(connection)
  return state === 'ready' || state === 'empty' ? { connection, state } : null
}

/** Handles processes that use the folder but do not answer: starting, stopping, or stuck. */
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
 * pg_ctl failed. PostgreSQL mistakes a zombie, or a reused process id, for a live postmaster. Waits a moment and
 * then deletes its files, but only when no process uses the folder.
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

function connectionAt(at: Address, password?: string): EmbeddedConnection {
  const where = {
    host: at.socketFolder || '127.0.0.1',
    port: at.port,
    database: clusterUser,
    username: clusterUser,
  }
  return password === undefined ? where : { ...where, password }
}

async function pgCtlStop(cluster: Cluster): Promise<void> {
  const { code, output } = await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '60', '-s'])
  if (code === 0) return
  const file = await readPidFile(cluster.dir)
  if (file && (await isPostgres(file.pid, cluster.dir))) {
    throw new Error(`The built-in PostgreSQL in ${cluster.dir} does not stop: ${output}`)
  }
}

/** Runs in the folder, because pg_ctl passes the path to a shell. */
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
