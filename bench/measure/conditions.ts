import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { packageFolder } from '../../server/packageFolder.ts'

/** What figures depend on, besides the program. */
export interface Conditions {
  /** A plus sign follows the commit when files are changed that it does not have. */
  commit: string
  cores: number
  cpu: string
  date: string
  loadBefore: number
  node: string
}

export function readConditions(): Conditions {
  const cpus = os.cpus()
  return {
    commit: readCommit(),
    cores: cpus.length,
    cpu: (cpus[0]?.model ?? 'unknown').replaceAll(/\((R|TM)\)| CPU| Processor| @.*/g, '').trim(),
    date: new Date().toISOString().slice(0, 10),
    loadBefore: load(),
    // The server may run on another version.
    node: run(process.env.SERVER_NODE ?? process.execPath, ['--version']).replace(/^v/, ''),
  }
}

/** Runnable processes in the last minute: other programs affect every figure. */
export function load(): number {
  return Number((os.loadavg()[0] ?? 0).toFixed(1))
}

function readCommit(): string {
  try {
    // What benches write themselves does not count.
    const changed = run('git', ['status', '--porcelain', '--', '.', ':!bench/figures'])
    return run('git', ['rev-parse', '--short=10', 'HEAD']) + (changed ? '+' : '')
  } catch {
    return 'unknown'
  }
}

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { cwd: packageFolder(''), encoding: 'utf8', stdio: 'pipe' }).trim()
}
