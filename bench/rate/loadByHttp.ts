import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { cpuSeconds } from '../measure/processCosts.ts'
import { isInstalled } from '../measure/programs.ts'
import type { LoadListeners } from './listeners.ts'

export interface Load {
  calls: number
  seconds: number
  /** Responses with status 400 or more, and calls without one. */
  refused: number
  broken: number
  /** Milliseconds. */
  p50: number
  p99: number
  slowest: number
  /** CPU seconds of the calling program. */
  cpu: number
}

export const loadProgram = isInstalled('wrk') ? 'wrk' : 'autocannon'

/**
 * `connections` concurrent callers for that many seconds, each rating song after song for its own listeners, with a mean
 * pause of so many milliseconds: by wrk, which uses little CPU, else by autocannon.
 */
export async function loadByHttp(
  url: string,
  listeners: LoadListeners,
  {
    seconds,
    connections,
    cookie = 'session',
    pause = 0,
  }: { seconds: number; connections: number; cookie?: string; pause?: number },
): Promise<Load> {
  const lines = listeners.sessions.map((session) => `${cookie}=${session}`)
  const rest = [
    connections,
    listeners.microgenreId,
    listeners.firstSong,
    rateAndAdvance.path,
    new URL(url).host,
    Math.round(pause),
  ]
  if (loadProgram === 'wrk')
    return runWrk(url, 'rate.lua', lines, { seconds, connections }, (file) => [file, ...rest])
  return withFile(lines, (file) =>
    run([process.execPath, substitute, url, seconds, file, ...rest].map(String)),
  )
}

const substitute = path.join(import.meta.dirname, 'autocannonLoad.mjs')

/** Runs a script of wrk, one thread for each connection, with a file of `lines`. */
export function runWrk(
  url: string,
  script: string,
  lines: readonly string[],
  { seconds, connections }: { seconds: number; connections: number },
  argsFor: (file: string) => (string | number)[],
): Promise<Load> {
  return withFile(lines, (file) => {
    const size = ['-t', connections, '-c', connections, '-d', `${seconds}s`, '--timeout', '10s']
    const program = path.join(import.meta.dirname, script)
    return run(['wrk', ...size, '-s', program, url, '--', ...argsFor(file)].map(String))
  })
}

async function withFile(lines: readonly string[], use: (file: string) => Promise<Load>): Promise<Load> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-load-'))
  try {
    const file = path.join(folder, 'callers')
    await writeFile(file, `${lines.join('\n')}\n`)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run([program = '', ...args]: string[]): Promise<Load> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let cpu = 0
  // The process has exited.
  const look = setInterval(() => {
    cpu = Math.max(cpu, cpuSeconds(child.pid ?? 0))
  }, 50)
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} exited with ${code}:\n${output}`)
  return { ...(JSON.parse(output.trim().split('\n').at(-1) ?? '') as Omit<Load, 'cpu'>), cpu }
}
