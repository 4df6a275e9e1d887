import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestServer } from '../../tests/browser/testServer.ts'
import type { Scenario } from './scenario.ts'

/** PostgreSQL keeps up to 1 GB of WAL beside the data (`max_wal_size`). */
const SIZE = '1500m'

/** Milliseconds for which the disk stays full. */
const FULL = 3000

/** A server whose data is on a disk of its own, which a large file fills to the last byte. */
export async function prepareSmallDisk(): Promise<Scenario | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a small disk'
  const disk = await mkdtemp(path.join(os.tmpdir(), 'bob-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch (error) {
    await rm(disk, { recursive: true, force: true })
    return `a small disk cannot be mounted here (${String(error).split('\n')[0]})`
  }
  const unmount = async () => {
    execFileSync('umount', [disk])
    await rm(disk, { recursive: true, force: true })
  }
  try {
    const app = await startTestServer({ LOG_LEVEL: 'info', DATA_DIR: path.join(disk, 'data') })
    const filling = path.join(disk, 'filling')
    return {
      app,
      async inject() {
        fill(filling)
        // There is no room for the next WAL segment.
        await app.db`select pg_switch_wal()`.catch(() => {})
        await wait(FULL)
        rmSync(filling)
      },
      async close() {
        rmSync(filling, { force: true })
        await app.close()
        await unmount()
      },
    }
  } catch (error) {
    await unmount()
    throw error
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const size of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(size)
      try {
        for (;;) writeSync(descriptor, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(descriptor)
  }
}
