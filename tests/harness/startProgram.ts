import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { packagePath } from '../../server/packagePath.ts'

export interface ProgramResult {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunningProgram {
  child: ChildProcess
  programEnd: Promise<ProgramResult>
}

/** A program of server/programs/ as its own process, run from its source, in `folder`. */
export function startProgram(
  name: string,
  args: string[],
  { env, folder }: { env: Record<string, string>; folder: string },
): RunningProgram {
  const { PATH, HOME } = process.env
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), packagePath(`server/programs/${name}.ts`), ...args],
    { cwd: folder, env: { PATH, HOME, NODE_ENV: 'test', ...env } },
  )
  const output: ProgramResult = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  const programEnd = new Promise<ProgramResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...output, code }))
  })
  return { child, programEnd }
}

/**
 * A free port of 127.0.0.1, outside of the range that systems assign by themselves, so no other program gets it before
 * the server listens on it, or while that is restarted.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = randomInt(20_000, 30_000)
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(freePort()) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
