import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionTarget, withDatabase } from '../../server/db/connection.ts'
import { databaseAt } from '../../tests/harness/testCluster.ts'
import { childrenOf, cpuSecondsOfTree, readPostmaster } from '../measure/processes.ts'

/* The nodes of a cluster: their CPU time and calls, and how to kill one. */

export interface Node {
  /** CPU seconds of all its processes; NaN on another machine. */
  cpu(): number
  /** How often it ran the body of a function of the product. */
  callsOf(name: string): Promise<number>
  /** Sends SIGKILL to all its processes. Returns a function that starts it again. Null on another machine. */
  kill: (() => Promise<() => Promise<void>>) | null
}

/** @param database whose functions are counted. The role must be a superuser. */
export async function openNode(target: ConnectionTarget, database: string): Promise<Node> {
  const address = databaseAt(target, database)
  let postmaster = await withDatabase(address, readPostmaster)
  return {
    cpu: () => (postmaster === null ? Number.NaN : cpuSecondsOfTree(postmaster)),
    callsOf: (name) =>
      withDatabase(address, async (db) => {
        const [row] = await db<{ calls: number }[]>`
          select coalesce(sum(calls), 0)::float8 as calls from pg_stat_user_functions where funcname = ${name}`
        return row?.calls ?? 0
      }),
    kill:
      postmaster === null
        ? null
        : async () => {
            const was = postmaster as number
            const start = readStart(was)
            const all = [was, ...childrenOf(was)]
            for (const each of all) signal(each, 'SIGKILL')
            while (all.some((each) => signal(each, 0))) await wait(20)
            return async () => {
              postmaster = await startAgain(start, address)
            }
          },
  }
}

/** Starts the same program with the same arguments as the same user. */
function readStart(pid: number): () => ChildProcess {
  const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  const program = readlinkSync(`/proc/${pid}/exe`)
  const cwd = readlinkSync(`/proc/${pid}/cwd`)
  const { uid, gid } = statSync(`/proc/${pid}`)
  return () => {
    const child = spawn(program, args, { cwd, uid, gid, detached: true, stdio: 'ignore' })
    child.unref()
    return child
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Returns the process id. It does not start while a process of the killed one still ends. */
async function startAgain(start: () => ChildProcess, address: ConnectionTarget): Promise<number> {
  let child = start()
  for (const until = Date.now() + 60_000; Date.now() < until; await wait(200)) {
    if (child.exitCode !== null || child.signalCode !== null) child = start()
    const isThere = await withDatabase(address, async (db) => (await db`select 1`).length === 1).catch(
      () => false,
    )
    if (isThere) return child.pid ?? 0
  }
  throw new Error('The worker did not start again.')
}
