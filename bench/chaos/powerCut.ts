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
import type { AddCleanUp } from '../measure/report.ts'
import type { DiskMessage } from './forgetfulDisk.ts'
import { makeFolder, type Scenario, startServer } from './scenario.ts'

/** Room for PostgreSQL's WAL beside the data; the image is sparse. */
const DISK_BYTES = 3 * 1024 ** 3

/** Milliseconds in which a checkpoint is under way at every second cut. */
const CHECKPOINT = 600

/** Milliseconds in which ratings are acknowledged before they are flushed. */
const UNFLUSHED_DURATION = 1500

/**
 * A server whose data is on a disk that forgets. Unless it is safe, it acknowledges ratings before they are flushed:
 * some must be lost, or the cuts prove nothing.
 */
export async function preparePowerCut(later: AddCleanUp, isSafe: boolean): Promise<Scenario | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount such a disk'
  const missing = ['mkfs.ext4', 'losetup'].filter((program) => !isInstalled(program))
  if (missing.length > 0) return `${missing.join(', ')} is not installed`
  const disk = await makeDisk(later)
  const lostSectors: number[] = []
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
        // Otherwise PostgreSQL would flush acknowledged ratings after a fifth of a second.
        await app.db`alter system set wal_writer_delay = '10s'`
        await app.db`select pg_reload_conf()`
        await wait(UNFLUSHED_DURATION)
      } else if (round % 2 === 1) {
        void app.db`checkpoint`.catch(() => {})
        await wait(Math.random() * CHECKPOINT)
      }
      lostSectors.push(await disk.cut())
      // Nothing can be acknowledged any more, because no flush succeeds.
      for (const pid of pids) kill(pid)
      await disk.turnOff()
      await disk.turnOn()
      await app.start()
      if (isSafe) return
      await app.db`alter system reset all`
      await app.db`select pg_reload_conf()`
    },
    figures: { "sectors lost from the disk's cache": lostSectors },
  }
}

async function listProcesses(app: TestServer): Promise<number[]> {
  const database = (await readPidFile(clusterDirOf(app.dataDir)))?.pid ?? 0
  if (!database) throw new Error('The database does not run.')
  return [app.supervisor(), ...app.workers(), database, ...childrenOf(database)]
}

/**
 * A disk in `folder` that is on. A power cut loses what was not flushed; turned on again, its file system repairs
 * itself.
 */
async function makeDisk(later: AddCleanUp) {
  const home = await makeFolder(later)
  const [image, mountedFile, folder] = [`${home}/image`, `${home}/shown`, `${home}/disk`]
  for (const file of [image, mountedFile]) writeFileSync(file, '')
  await truncate(image, DISK_BYTES)
  run('mkfs.ext4', '-q', '-F', '-N', '32768', '-E', 'nodiscard,lazy_itable_init=0', image)
  await mkdir(folder)
  let program: ChildProcess | undefined
  let device = ''
  let isMounted = false

  async function turnOn(): Promise<void> {
    program = fork(path.join(import.meta.dirname, 'forgetfulDisk.ts'), [image, mountedFile])
    const [message] = (await Promise.race([once(program, 'message'), once(program, 'exit')])) as [DiskMessage]
    if (message !== 'shown') throw new Error('The disk cannot be shown.')
    device = run('losetup', '--find', '--show', mountedFile)
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
    run('umount', '--lazy', mountedFile)
    if (program.exitCode === null && program.signalCode === null) {
      const programExit = once(program, 'exit')
      program.kill('SIGKILL')
      await programExit
    }
    program = undefined
  }

  /** Returns how many sectors were lost. */
  async function cutPower(): Promise<number> {
    if (!program) throw new Error('The disk is off.')
    const diskReport = once(program, 'message')
    const programExit = once(program, 'exit')
    program.send('cut')
    const [report] = (await diskReport) as [Exclude<DiskMessage, 'shown'>]
    await programExit
    return report.lostSectors
  }

  later(turnOff)
  await turnOn()
  return { folder, cut: cutPower, turnOn, turnOff }
}

/** Killed processes may take a moment to end. */
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
