import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { openSync } from 'node:fs'

/** A network namespace that acts as a machine, with a cable that can be pulled. */
export interface Machine {
  address: string
  /** Starts a program in it, as the unprivileged user that PostgreSQL requires; its output goes to `log`. */
  run(command: string, args: string[], log: string, env?: Record<string, string>): ChildProcess
  /** Sends SIGKILL to everything that runs in it. */
  killAll(): void
  pullCable(): void
  plugIn(): void
}

export interface Network {
  machines: Machine[]
  /** The address of the host as seen from inside. */
  outside: string
  close(): void
}

const BRIDGE = 'bobbridge'
const USER = 'postgres'

/** @throws when the network cannot be created; parts that were created are removed. */
export function makeNetwork(size: number): Network {
  const names = Array.from({ length: size }, (_, n) => `bobnode${n + 1}`)
  const close = () => {
    for (const name of names) {
      killAll(name)
      ip('netns', 'del', name)
      quietly(() => ip('link', 'del', `${name}b`))
    }
    quietly(() => ip('link', 'del', BRIDGE))
  }
  quietly(close)
  try {
    ip('link', 'add', BRIDGE, 'type', 'bridge')
    ip('address', 'add', '10.77.0.254/24', 'dev', BRIDGE)
    ip('link', 'set', BRIDGE, 'up')
    const machines = names.map((name, n) => makeMachine(name, `10.77.0.${n + 1}`))
    return { machines, outside: '10.77.0.254', close: () => quietly(close) }
  } catch (error) {
    quietly(close)
    throw error
  }
}

function makeMachine(name: string, address: string): Machine {
  const cable = `${name}b`
  ip('netns', 'add', name)
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('link', 'set', cable, 'master', BRIDGE, 'up')
  ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', name, 'link', 'set', 'eth0', 'up')
  ip('-n', name, 'link', 'set', 'lo', 'up')
  return {
    address,
    run(command, args, log, env = {}) {
      const out = openSync(log, 'a')
      const asUser = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', command, ...args]
      return spawn('ip', ['netns', 'exec', name, ...asUser], {
        stdio: ['ignore', out, out],
        env: { PATH: process.env.PATH ?? '', HOME: '/tmp', LC_ALL: 'C.UTF-8', ...env },
      })
    },
    killAll: () => killAll(name),
    pullCable: () => ip('link', 'set', cable, 'down'),
    plugIn: () => ip('link', 'set', cable, 'up'),
  }
}

function killAll(name: string): void {
  const pids =
    quietly(() => ip('netns', 'pids', name))
      ?.trim()
      .split('\n') ?? []
  for (const pid of pids.map(Number)) if (pid > 1) quietly(() => process.kill(pid, 'SIGKILL'))
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
