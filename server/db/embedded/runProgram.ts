import { spawn } from 'node:child_process'
import os from 'node:os'
import type { RunAs } from './runAs.ts'

/**
 * Runs one of PostgreSQL's programs to its end and gives its exit code and what it said.
 * With `logFd` it (and the server it starts) writes there instead.
 */
export function runProgram(
  program: string,
  args: string[],
  runAs: RunAs,
  options: { cwd?: string; logFd?: number } = {},
): Promise<{ code: number; output: string }> {
  const [command = program, ...rest] = [...runAs.prefix, program, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      stdio: ['ignore', options.logFd ?? 'pipe', options.logFd ?? 'pipe'],
      uid: runAs.uid,
      gid: runAs.gid,
      // Ctrl-C in a terminal is meant for us; we end the database in our own order.
      detached: process.platform !== 'win32',
      windowsHide: true,
      cwd: options.cwd ?? os.tmpdir(),
      env: plainEnvironment(),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    child.on('error', reject)
    // 'close' would wait for whoever inherited the pipes; on Windows that is the server itself.
    child.on('exit', (code) => {
      setImmediate(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve({ code: code ?? -1, output: output.trim() })
      })
    })
  })
}

/** Nothing of ours (secrets, PGHOST, PGOPTIONS, …) is for PostgreSQL; what it says stays in English. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'USERPROFILE']
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C' }
  for (const key of kept) if (process.env[key] !== undefined) env[key] = process.env[key]
  return env
}
