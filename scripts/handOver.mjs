import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './steps.mjs'

/**
 * Runs a program of the project in this process.
 * @param {string} file
 * @param {string[]} [args]
 */
export async function handOver(file, args = []) {
  if (process.env.npm_lifecycle_event && process.platform !== 'win32') endWithNpm()
  const program = path.join(root, file)
  process.chdir(root)
  process.argv.splice(1, process.argv.length, program, ...args)
  await import(pathToFileURL(program).href)
}

/** SIGTERM to npm ends npm and its shell without telling us. Our parent process changes then. */
function endWithNpm() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 300)
  timer.unref()
}
