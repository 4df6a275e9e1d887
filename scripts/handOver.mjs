import { spawn } from 'node:child_process'
import { root } from './steps.mjs'

/**
 * Runs `node args` in place of this process: same terminal, same signals, same exit code.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function handOver(args, env = process.env) {
  const child = startNode(args, env)
  passSignals((signal, isKnown) => {
    if (!isKnown) child.kill(signal)
  })
  child.on('exit', (code, signal) => process.exit(codeOf(code, signal)))
}

/**
 * Starts `node args` in the same terminal.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function startNode(args, env = process.env) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env })
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  return child
}

/**
 * Calls `pass` with each signal to stop; `isKnown` when the child process has received it already.
 * @param {(signal: NodeJS.Signals, isKnown: boolean) => void} pass
 */
export function passSignals(pass) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // In a terminal, Ctrl-C reaches the child directly; a second signal would force it to stop.
    process.on(signal, () => pass(signal, signal === 'SIGINT' && Boolean(process.stdin.isTTY)))
  }
  if (process.env.npm_lifecycle_event && process.platform !== 'win32')
    whenOrphaned(() => pass('SIGTERM', false))
}

/** The exit code that a shell reports for a process. */
export const codeOf = (code, signal) => code ?? 128 + (signalNumbers[signal] ?? 0)

/** SIGTERM to npm ends npm and its shell without telling us. Our parent process changes then. */
function whenOrphaned(act) {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    act()
  }, 300)
  looking.unref()
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
