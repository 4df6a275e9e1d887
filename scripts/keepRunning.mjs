import { codeOf, passSignals, startNode } from './handOver.mjs'

/** The server's exit code when it cannot start; it has printed the reason. EX_CONFIG of sysexits.h. */
const DID_NOT_START = 78

/** Milliseconds to wait before a restart. The wait doubles each time, up to the longest. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000
/** After a run of this many milliseconds the wait is the first one again. */
const RAN_WELL = 60_000

/**
 * Runs `node args` and restarts it when it ends unexpectedly. There is no restart after a signal to stop, after exit
 * code 0, or when it cannot start the first time: a wrong configuration stays wrong.
 * @param {string[]} args
 */
export function keepRunning(args, { firstPause = FIRST_PAUSE, ranWell = RAN_WELL } = {}) {
  let pause = firstPause
  let hasRun = false
  let isStopping = false
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null
  passSignals((signal, isKnown) => {
    // Without a terminal, SIGHUP may replace server processes instead of stopping them.
    if (signal !== 'SIGHUP' || process.stdin.isTTY || !child) isStopping = true
    if (!child) process.exit(0)
    if (!isKnown) child.kill(signal)
  })
  start()

  function start() {
    const since = performance.now()
    child = startNode(args)
    child.on('exit', (code, signal) => {
      child = null
      const isRefused = code === DID_NOT_START && !hasRun
      if (isStopping || code === 0 || isRefused) process.exit(codeOf(code, signal))
      hasRun = true
      if (performance.now() - since >= ranWell) pause = firstPause
      console.log(
        `The server ended unexpectedly (${signal ?? `exit code ${code}`}). It restarts in ${pause / 1000} s.`,
      )
      setTimeout(start, pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE)
    })
  }
}
