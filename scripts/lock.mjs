import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './root.mjs'

/**
 * Runs the step under a lock that all starts of this project share. The lock is a file outside the project that
 * contains a process id; it is stale when that process is gone.
 */
export async function withLock(doing, step) {
  for (let printed = false; !(await take()); printed = true) {
    if (!printed)
      console.log(
        `Another start of this project is ${doing}. Waiting for it … (if there is none, remove ${file})`,
      )
    await wait(200)
  }
  try {
    return await step()
  } finally {
    await rm(file, { force: true })
  }
}

const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
const file = path.join(os.tmpdir(), `banger-or-bust-${process.getuid?.() ?? 'start'}-${name}.lock`)

async function take() {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => ''))
  if (!isAlive(holder)) await removeStale(holder)
  return false
}

/** Moves the file aside first, and restores it if another start has taken the lock meanwhile. */
async function removeStale(holder) {
  const aside = `${file}.${process.pid}`
  try {
    await rename(file, aside)
    if (Number(await readFile(aside, 'utf8')) === holder) await rm(aside)
    else await rename(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function isAlive(pid) {
  // A file that was just created is still empty.
  if (!pid) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
