import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openCluster } from '../../server/db/embedded/cluster.ts'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'
import { startTestServer } from '../../tests/browser/testServer.ts'
import type { Scenario } from './scenario.ts'

/** Days and hours by which the clock jumps, there and back; a session lasts 30 days. */
const JUMPS = ['+1d', '-1d', '+20d', '-20d', '+1h', '-1h']

/** Milliseconds with the wrong clock; libfaketime reads its setting once a second. */
const WRONG = 2500

/** A server and database that read the time through libfaketime; the machine's own clock does not change. */
export async function prepareMovedClock(): Promise<Scenario | string> {
  const library = findLibrary()
  if (!library) return 'libfaketime is not installed (on Debian and Ubuntu: apt install libfaketime)'
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-clock-'))
  const dataDir = path.join(folder, 'data')
  const clock = path.join(folder, 'clock')
  await writeFile(clock, '+0')
  const moved = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    // Monotonic clocks keep running, as on a machine whose clock is set.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  await startDatabase(dataDir, moved)
  const app = await startTestServer({ LOG_LEVEL: 'info', DATA_DIR: dataDir, ...moved })
  return {
    app,
    async inject(round) {
      await writeFile(clock, JUMPS[round % JUMPS.length] ?? '')
      await wait(WRONG)
      await writeFile(clock, '+0')
      await wait(1500)
    },
    async close() {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const findLibrary = () =>
  process.env.FAKETIME_LIBRARY ??
  ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']
    .map((folder) => `${folder}/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file))

/** The server would start its database with an empty environment, so start it first and let the server adopt it. */
async function startDatabase(dataDir: string, env: Record<string, string>): Promise<void> {
  const first = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  await first.stop()
  const cluster = await openCluster(dataDir, true)
  const { prefix, uid, gid } = cluster.runAs
  const [command = '', ...args] = [...prefix, cluster.binaries.pgCtl, 'start', '-w', '-s', '-D', '.']
  const child = spawn(command, [...args, '-l', cluster.logFile], {
    cwd: cluster.dir,
    uid,
    gid,
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The database with a changed clock does not start. See ${cluster.logFile}`)
}
