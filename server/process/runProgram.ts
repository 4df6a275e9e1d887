import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface ProgramResult {
  /** Null when a signal ended it. */
  code: number | null
  output: string
  errors: string
}

/**
 * Runs a program of server/programs/ as a process of its own, until it has ended. `signal` asks it to end.
 * @throws Error when it cannot be started.
 */
export function runProgram(name: string, args: string[], signal: AbortSignal): Promise<ProgramResult> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const program = fileURLToPath(new URL(`../programs/${name}.${ending}`, import.meta.url))
  return new Promise((resolve, reject) => {
    // From the sources it needs the loader of this process.
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const told = { output: '', errors: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told.output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told.errors += text
    })
    const end = () => void child.kill()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', end)
      resolve({ code, output: told.output.trim(), errors: told.errors.trim() })
    })
  })
}
