import { spawn } from 'node:child_process'
import { root } from './root.mjs'

/**
 * Runs npm quietly. Rejects with its output when it fails.
 * @param {string[]} args
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>}
 */
export function runNpm(args, { folder = root, env = process.env } = {}) {
  // npm sets npm_execpath. Without npm, PATH finds it (on Windows a .cmd, which needs a shell).
  const inside = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined
  const [command, all] = inside ? [process.execPath, [inside, ...args]] : ['npm', args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, all, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !inside && process.platform === 'win32',
    })
    const stopListening = endWith(child)
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
function endWith(child) {
  const end = (signal) => {
    child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143))
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end)
  }
}
