import { spawn } from 'node:child_process'
import os from 'node:os'
import type { RunAs } from './runAs.ts'

/**
 * Runs one of PostgreSQL's programs and returns its exit code and output. With `logFd`, it and the server it starts
 * write there instead.
 */
export function runPostgresProgram(
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
      // Keeps Ctrl-C in the terminal from reaching PostgreSQL: we stop it in order.
      detached: process.platform !== 'win32',
      windowsHide: true,
      cwd: options.cwd ?? os.tmpdir(),
      env: minimalEnvironment(),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    child.on('error', reject)
    // 'close' waits for every process that inherited the pipes; on Windows that includes the server.
    child.on('exit', (code) => {
      setImmediate(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve({ code: code ?? -1, output: output.trim() })
      })
    })
  })
}

/** Removes our secrets and PG* variables, and keeps messages in English. */
function minimalEnvironment(): NodeJS.ProcessEnv {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'USERPROFILE']
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C' }
  for (const key of inherited) if (process.env[key] !== undefined) env[key] = process.env[key]
  return env
}
