import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdir, truncate } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { clusterDirOf } from '../../server/db/embedded/cluster.ts'
import { readPidFile } from '../../server/db/embedded/connection.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { childrenOf, IN_PRODUCTION, isInstalled } from '../measure/processes.ts'
import type { Later } from '../measure/report.ts'
import type { FromDisk } from './forgetfulDisk.ts'
import { makeFolder, type Scenario, startServer } from './scenario.ts'

/** Room for PostgreSQL's WAL beside the data; the image is sparse. */
const SIZE = 3 * 1024 ** 3

/** Milliseconds in which a checkpoint is under way at every second cut. */
const CHECKPOINT = 600

/** Milliseconds in which ratings are acknowledged before they are flushed. */
const UNFLUSHED = 1500

/**
 * A server whose data is on a disk that forgets. Unless it is safe, it acknowledges ratings before they are flushed:
 * some must be lost, or the cuts prove nothing.
 */
export async function preparePowerCut(later: Later, isSafe: boolean): Promise<Scenario | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount such a disk'
  const missing = ['mkfs.ext4', 'losetup'].filter((program) => !isInstalled(program))
  if (missing.length > 0) return `${missing.join(', ')} is not installed`
  const disk = await makeDisk(later)
  const forgotten: number[] = []
  const app = await startServer(later, {
    DATA_DIR: path.join(disk.folder, 'data'),
    // In tests the server does not flush a new database.
    ...IN_PRODUCTION,
  })
  return {
    app,
    async inject(round) {
      const pids = await listProcesses(app)
      if (!isSafe) {
        await app.db`alter system set synchronous_commit = off`
        // Else what is acknowledged would be flushed after a fifth of a second.
        await app.db`alter system set wal_writer_delay = '10s'`
        await app.db`select pg_reload_conf()`
        await wait(UNFLUSHED)
      } else if (round % 2 === 1) {
        void app.db`checkpoint`.catch(() => {})
        await wait(Math.random() * CHECKPOINT)
      }
      forgotten.push(await disk.cut())
      // Nothing can be acknowledged any more, because no flush succeeds.
      for (const pid of pids) kill(pid)
      await disk.turnOff()
      await disk.turnOn()
      await app.start()
      if (isSafe) return
      await app.db`alter system reset all`
      await app.db`select pg_reload_conf()`
    },
    figures: { "sectors lost from the disk's cache": forgotten },
  }
}

/** Of the server and its database. */
async function listProcesses(app: TestServer): Promise<number[]> {
  const database = (await readPidFile(clusterDirOf(app.dataDir)))?.pid ?? 0
  if (!database) throw new Error('The database does not run.')
  return [app.supervisor(), ...app.workers(), database, ...childrenOf(database)]
}

/** A disk in `folder` that is on. `cut` loses what was not flushed; turned on again, its file system repairs itself. */
async function makeDisk(later: Later) {
  const home = await makeFolder(later)
  const [image, shown, folder] = [`${home}/image`, `${home}/shown`, `${home}/disk`]
  for (const file of [image, shown]) writeFileSync(file, '')
  await truncate(image, SIZE)
  run('mkfs.ext4', '-q', '-F', '-N', '32768', '-E', 'nodiscard,lazy_itable_init=0', image)
  await mkdir(folder)
  let program: ChildProcess | undefined
  let device = ''
  let isMounted = false

  async function turnOn(): Promise<void> {
    program = fork(path.join(import.meta.dirname, 'forgetfulDisk.ts'), [image, shown])
    const [said] = (await Promise.race([once(program, 'message'), once(program, 'exit')])) as [FromDisk]
    if (said !== 'shown') throw new Error('The disk cannot be shown.')
    device = run('losetup', '--find', '--show', shown)
    run('mount', '-t', 'ext4', device, folder)
    isMounted = true
  }

  async function turnOff(): Promise<void> {
    if (isMounted) await unmount(folder)
    isMounted = false
    if (device) run('losetup', '--detach', device)
    device = ''
    if (!program) return
    // Other namespaces may still have copies of these mounts. They cannot change the image: only the program can.
    run('umount', '--lazy', shown)
    if (program.exitCode === null && program.signalCode === null) {
      const ended = once(program, 'exit')
      program.kill('SIGKILL')
      await ended
    }
    program = undefined
  }

  /** Returns how many sectors were lost. */
  async function cut(): Promise<number> {
    if (!program) throw new Error('The disk is off.')
    const answered = once(program, 'message')
    const ended = once(program, 'exit')
    program.send('cut')
    const [left] = (await answered) as [Exclude<FromDisk, 'shown'>]
    await ended
    return left.forgotten
  }

  later(turnOff)
  await turnOn()
  return { folder, cut, turnOn, turnOff }
}

/** What was killed may take a moment to go. */
async function unmount(folder: string): Promise<void> {
  for (const until = Date.now() + 20_000; ; await wait(50)) {
    try {
      return void run('umount', folder)
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
