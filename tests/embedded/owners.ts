import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'
import { readPidFile } from '../../server/db/embedded/connection.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'

export const address = 'http://localhost:3999'

// Each test creates a database, and some start it four times.
vi.setConfig({ testTimeout: 300_000 })

export interface StartedOwner {
  child: ChildProcess
  /** The program's first line: that it runs, or why not. */
  status: {
    up?: true
    adopted?: boolean
    connection?: { host: string; port: number; database: string; username: string }
    error?: string
    name?: string
  }
  /** Its log so far. */
  logLines: string[]
}

/** A temporary data folder, deleted after the test, together with all processes that use it. */
export async function makeDataDir(options: { below?: string; mode?: number } = {}): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-'))
  if (options.mode) await chmod(folder, options.mode)
  const dataDir = path.join(folder, options.below ?? '', 'data')
  onTestFinished(async () => {
    const { socketFolder = '' } = (await readPidFile(path.join(dataDir, 'postgres'))) ?? {}
    await killDatabase(dataDir)
    if (socketFolder.startsWith(os.tmpdir())) await rm(socketFolder, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })
  return dataDir
}

/** Starts the program that owns the folder, and waits for its status. */
export async function startOwner(
  dataDir: string,
  options: { uid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<StartedOwner> {
  const child = runTypeScript('ownerProgram.ts', [dataDir, address], options)
  const logLines: string[] = []
  const status = await new Promise<StartedOwner['status']>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const message = JSON.parse(line) as StartedOwner['status'] & { log?: string }
      if (message.log) logLines.push(message.log)
      else resolve(message)
    })
    child.once('exit', (code) => reject(new Error(`the owner ended with ${code} and said nothing`)))
  })
  return { child, status, logLines }
}

/** Runs a TypeScript program of this folder as its own process, killed at the end of the test. */
export function runTypeScript(
  file: string,
  args: string[],
  options: { uid?: number; env?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: path.resolve(import.meta.dirname, '../..'),
    uid: options.uid,
    gid: options.uid,
    env: { ...process.env, ...options.env },
  })
  onTestFinished(async () => {
    await end(child, 'SIGKILL')
  })
  return child
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  return exitCodeOf(child)
}

/** Waits for a process to exit; null when a signal ended it. */
export async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

export async function killDatabase(dataDir: string): Promise<void> {
  const find = async () => (await findProcesses(path.join(dataDir, 'postgres'))) ?? []
  for (const pid of await find()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  await until(async () => (await find()).length === 0)
}

export async function query<T>(started: StartedOwner, use: (sql: Database) => Promise<T>): Promise<T> {
  const sql = connect(started.status.connection as ConnectionTarget, { max: 1 })
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres')

/** A row that must outlive the server. */
export const writeNote = (owner: StartedOwner) =>
  query(owner, async (sql) => {
    await sql`create table note (text text not null)`
    await sql`insert into note values ('kept')`
  })

export const readNotes = (owner: StartedOwner) => query(owner, (sql) => sql`select text from note`.values())

/** Polls a condition; an error counts as false. The test's timeout ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await wait(25)
}
