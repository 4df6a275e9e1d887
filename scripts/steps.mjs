/* What the steps of a start share: the project's folder, progress, npm, and a lock. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Shows progress of a long step: a ticking line in a terminal, else a line at start and end.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withProgress(title, step) {
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`
  const terminal = process.stdout.isTTY
  const show = () => process.stdout.write(`\r${title} … ${seconds()} `)
  if (!terminal) console.log(`${title} …`)
  const ticking = terminal ? setInterval(show, 200) : undefined
  try {
    const result = await step()
    process.stdout.write(`${terminal ? '\r' : ''}${title}: done in ${seconds()}\n`)
    return result
  } catch (error) {
    process.stdout.write(`${terminal ? '\r' : ''}${title}: failed after ${seconds()}\n`)
    throw error
  } finally {
    clearInterval(ticking)
  }
}

/**
 * Runs npm quietly. Rejects with its output when it fails.
 * @param {string[]} args
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>}
 */
export function runNpm(args, { folder = root, env = process.env } = {}) {
  // npm sets npm_execpath. Without npm, PATH finds it (on Windows a .cmd, which needs a shell).
  const npmScript = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined
  const [command, all] = npmScript ? [process.execPath, [npmScript, ...args]] : ['npm', args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, all, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !npmScript && process.platform === 'win32',
    })
    const stopListening = forwardSignals(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (code) => {
      stopListening()
      if (code === 0) resolve()
      else reject(new Error(`"npm ${args.join(' ')}" failed:\n${output.trim()}`))
    })
  })
}

/** Stops the child and then this process on a signal. Returns a function that undoes this. */
function forwardSignals(child) {
  const end = (signal) => {
    child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143))
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end)
  }
}

/**
 * Runs the step under a lock that all starts of this project share. The lock is a file outside the project that
 * contains a process id; it is stale when that process is gone.
 */
export async function withLock(doing, step) {
  for (let printed = false; !(await takeLock()); printed = true) {
    if (!printed)
      console.log(
        `Another start of this project is ${doing}. Waiting for it … (if there is none, remove ${lockFile})`,
      )
    await wait(200)
  }
  try {
    return await step()
  } finally {
    await rm(lockFile, { force: true })
  }
}

const lockName = createHash('sha256').update(root).digest('hex').slice(0, 16)
const lockFile = path.join(os.tmpdir(), `banger-or-bust-${process.getuid?.() ?? 'start'}-${lockName}.lock`)

async function takeLock() {
  try {
    await writeFile(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = Number(await readFile(lockFile, 'utf8').catch(() => ''))
  if (!isAlive(holder)) await removeStale(holder)
  return false
}

/** Moves the file aside first, and restores it if another start has taken the lock meanwhile. */
async function removeStale(holder) {
  const aside = `${lockFile}.${process.pid}`
  try {
    await rename(lockFile, aside)
    if (Number(await readFile(aside, 'utf8')) === holder) await rm(aside)
    else await rename(aside, lockFile)
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
