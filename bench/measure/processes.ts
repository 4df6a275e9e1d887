import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../../server/db/connection.ts'

/** CPU seconds of a process and its ended children; 0 when it has exited. */
export function cpuSeconds(pid: number): number {
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: utime, stime, cutime and cstime, from the 14th on
  const ticks = statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)
  // On every current Linux a second has 100 ticks.
  return ticks / 100
}

/** CPU seconds of a process and all its running descendants. */
export function cpuSecondsOfTree(pid: number): number {
  return cpuSeconds(pid) + childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfTree(child), 0)
}

/** The process of a PostgreSQL on this machine, whose role must be a superuser; null on another machine. */
export async function readPostmaster(db: Database): Promise<number | null> {
  const [row] = await db<{ text: string | null }[]>`
    select pg_read_file('postmaster.pid') as text where inet_server_addr() is not distinct from inet_client_addr()`
  return row?.text ? Number(row.text.split('\n')[0]) : null
}

/** Resident memory in MiB; NaN where the system does not report it. */
export function residentMiB(pid: number): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number)
  return pids.filter((pid) => pid > 0 && Number(statOf(pid)[1]) === parent)
}

/** The fields after the program's name, which may contain anything: state, parent, … */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** Settings of a server as operators run it. */
export const IN_PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'a secret that is long enough for a bench',
  LOG_LEVEL: 'info',
  CATALOGUE_VERIFY: 'false',
}
