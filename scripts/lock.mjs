import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './root.mjs'

/**
 * Runs the step while no other start of this project installs or builds; waits for one that does.
 * The lock is a file with a process id outside the project; one whose process is gone counts for nothing.
 */
export async function withLock(doing, step) {
  for (let told = false; !(await take()); told = true) {
    if (!told)
      console.log(`Another start of this project is ${doing}; waiting for it … (if none is, remove ${file})`)
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

/** Moves the file aside first, and puts back one that a third start has taken in the meantime. */
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
  // Between its making and its filling the file is empty: somebody is there.
  if (!pid) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
