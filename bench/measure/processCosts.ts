import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds of a process and its ended children; 0 when it has exited. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  if (!fields) return 0
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: utime, stime, cutime and cstime, from the 14th on
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

/** The same for a process and all its running descendants. */
export function cpuSecondsOfTree(pid: number): number {
  return cpuSeconds(pid) + childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfTree(child), 0)
}

/** Resident memory in bytes; null where the system does not report it. */
export function residentBytes(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib ? Number(kib) * 1024 : null
  } catch {
    return null
  }
}

/** On every current Linux. */
const TICKS_PER_SECOND = 100

export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number)
  return pids.filter((pid) => pid > 0 && Number(statOf(pid)?.[1]) === parent)
}

/** The fields after the program's name, which may contain anything: state, parent, … */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
