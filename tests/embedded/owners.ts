import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'

export const address = 'http://localhost:3999'

// Each test sets up a database, and some start it four times.
vi.setConfig({ testTimeout: 60_000 })

export interface Started {
  child: ChildProcess
  /** What the program said first: up, or why not. */
  said: {
    up?: true
    adopted?: boolean
    connection?: { host: string; port: number; database: string; username: string }
    error?: string
    name?: string
  }
  /** What it logged so far. */
  logged: string[]
}

/** A folder of its own for the test's data, gone afterwards together with every process that works in it. */
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

/** Starts the program that owns the folder, and waits until it is up or has said why not. */
export async function startOwner(
  dataDir: string,
  options: { uid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<Started> {
  const child = runTypeScript('ownerProgram.ts', [dataDir, address], options)
  const logged: string[] = []
  const said = await new Promise<Started['said']>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const told = JSON.parse(line) as Started['said'] & { log?: string }
      if (told.log) logged.push(told.log)
      else resolve(told)
    })
    child.once('exit', (code) => reject(new Error(`the owner ended with ${code} and said nothing`)))
  })
  return { child, said, logged }
}

/** Runs a TypeScript program of this folder as a process of its own, killed at the end of the test. */
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

/** Waits for the end of a process; null when a signal ended it. */
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
      // Ended in the meantime.
    }
  }
  await until(async () => (await find()).length === 0)
}

export async function query<T>(started: Started, use: (sql: Database) => Promise<T>): Promise<T> {
  const sql = connect(started.said.connection as ConnectionTarget, { max: 1 })
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Polls a condition; a failing one counts as not yet. The test's own time limit ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await wait(25)
}
