import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface ProgramResult {
  /** Null when a signal ended it. */
  code: number | null
  output: string
  errors: string
}

/**
 * Runs a program of server/programs/ as a process of its own, and waits for its end. `signal` terminates it.
 * @throws Error when it cannot be started.
 */
export function runProgram(name: string, args: string[], signal: AbortSignal): Promise<ProgramResult> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const program = fileURLToPath(new URL(`../programs/${name}.${extension}`, import.meta.url))
  return new Promise((resolve, reject) => {
    // A program in TypeScript needs the loader of this process.
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const captured = { output: '', errors: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      captured.output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      captured.errors += text
    })
    const kill = () => void child.kill()
    signal.addEventListener('abort', kill)
    if (signal.aborted) kill()
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', kill)
      resolve({ code, output: captured.output.trim(), errors: captured.errors.trim() })
    })
  })
}
