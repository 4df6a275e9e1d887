import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { clusterDirOf } from '../../server/db/embedded/cluster.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { startTestServer, type TestServer } from '../../tests/browser/testServer.ts'
import { childrenOf } from '../measure/processCosts.ts'
import { isInstalled } from '../measure/programs.ts'
import type { FromDisk } from './forgetfulDisk.ts'
import type { Scenario } from './scenario.ts'

/** Room for PostgreSQL's WAL beside the data; the image is sparse. */
const SIZE = 3 * 1024 ** 3

/** Milliseconds in which a checkpoint is under way at every second cut. */
const CHECKPOINT = 600

/** Milliseconds in which ratings are acknowledged before they are flushed. */
const UNFLUSHED = 1500

interface Disk {
  folder: string
  /** Loses what was not flushed, at once. */
  cut(): Promise<{ forgotten: number; kept: number }>
  /** Mounts what is left; the file system repairs itself. */
  comeBack(): Promise<void>
  remove(): Promise<void>
}

/**
 * A server whose data is on a disk that forgets. `isSafe: false` acknowledges ratings before they are flushed: some must
 * be lost, or the cuts prove nothing.
 */
export async function preparePowerCut({ isSafe }: { isSafe: boolean }): Promise<Scenario | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount such a disk'
  const missing = ['mkfs.ext4', 'losetup'].filter((program) => !isInstalled(program))
  if (missing.length > 0) return `${missing.join(', ')} is not installed`
  const disk = await makeDisk()
  const forgotten: number[] = []
  try {
    const app = await startTestServer({
      LOG_LEVEL: 'info',
      DATA_DIR: path.join(disk.folder, 'data'),
      // In tests the server does not flush a new database.
      NODE_ENV: 'production',
      SESSION_SECRET: 'a secret that is long enough for a bench',
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
        forgotten.push((await disk.cut()).forgotten)
        // Nothing can be acknowledged any more, because no flush succeeds.
        for (const pid of pids) kill(pid)
        await disk.comeBack()
        await app.start()
        if (isSafe) return
        await app.db`alter system reset synchronous_commit`
        await app.db`alter system reset wal_writer_delay`
        await app.db`select pg_reload_conf()`
      },
      figures: () => ({ "sectors lost from the disk's cache": forgotten }),
      async close() {
        await app.close()
        await disk.remove()
      },
    }
  } catch (error) {
    await disk.remove()
    throw error
  }
}

/** Of the server and its database. */
async function listProcesses(app: TestServer): Promise<number[]> {
  const database = (await readPidFile(clusterDirOf(app.dataDir)))?.pid ?? 0
  if (!database) throw new Error('The database does not run.')
  return [app.pid(), database, ...childrenOf(database)]
}

async function makeDisk(): Promise<Disk> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'bob-power-'))
  const [image, shown, folder] = ['image', 'shown', 'disk'].map((name) => path.join(home, name)) as [
    string,
    string,
    string,
  ]
  closeSync(openSync(image, 'w'))
  await truncate(image, SIZE)
  run('mkfs.ext4', '-q', '-F', '-N', '32768', '-E', 'nodiscard,lazy_itable_init=0', image)
  await writeFile(shown, '')
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
    // What was killed may take a moment to go.
    if (isMounted) await retried(() => run('umount', folder))
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

  try {
    await turnOn()
  } catch (error) {
    program?.kill('SIGKILL')
    await rm(home, { recursive: true, force: true })
    throw error
  }
  return {
    folder,
    async cut() {
      if (!program) throw new Error('The disk is off.')
      const told = once(program, 'message')
      const ended = once(program, 'exit')
      program.send('cut')
      const [left] = (await told) as [Exclude<FromDisk, 'shown'>]
      await ended
      return left
    },
    async comeBack() {
      await turnOff()
      await turnOn()
    },
    async remove() {
      await turnOff()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function retried(act: () => void): Promise<void> {
  for (const until = Date.now() + 20_000; ; await wait(50)) {
    try {
      return act()
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
