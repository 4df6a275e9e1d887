import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageFolder } from '../../server/packageFolder.ts'
import { cpuSeconds, cpuSecondsOfTree } from './processCosts.ts'

export interface Costs {
  seconds: number
  /** MiB. */
  peak: number
  /** CPU seconds. */
  program: number
  database: number
  /** What it printed. */
  output: string
}

export interface CatalogueProgram {
  /** Runs the program as an operator does. */
  run(args: string[]): Promise<Costs>
  /** Ends a run. */
  kill(signal: NodeJS.Signals): void
}

/** `npm run catalogue`, or another program, with the embedded database in `folder`/data, and further settings. */
export function catalogueProgram(
  folder: string,
  env: Record<string, string> = {},
  name = 'catalogue',
): CatalogueProgram {
  let child: ReturnType<typeof spawn> | undefined

  /** Runs only with the program; 0 before and after. */
  function postmaster(): number {
    try {
      return Number(
        readFileSync(path.join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
      )
    } catch {
      return 0
    }
  }

  return {
    async run(args) {
      const { PATH, HOME } = process.env
      const started = performance.now()
      child = spawn(process.execPath, [packageFolder(`dist/server/programs/${name}.js`), ...args], {
        env: { PATH, HOME, DATA_DIR: path.join(folder, 'data'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          output += chunk
        })
      }
      const pid = child.pid ?? 0
      const costs = { peak: 0, program: 0, database: 0 }
      const looking = setInterval(() => {
        costs.peak = Math.max(costs.peak, peakMemory(pid))
        costs.program = Math.max(costs.program, cpuSeconds(pid))
        const server = postmaster()
        if (server > 0) costs.database = Math.max(costs.database, cpuSecondsOfTree(server))
      }, 100)
      const [code] = (await once(child, 'exit')) as [number | null]
      clearInterval(looking)
      if (code !== 0) throw new Error(`${name} ${args[0] ?? ''} exited with ${code}:\n${output}`)
      return { seconds: (performance.now() - started) / 1000, ...costs, output }
    },

    kill: (signal) => void child?.kill(signal),
  }
}

/** The process's peak resident memory in MiB, on Linux; 0 elsewhere. */
function peakMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The names of the starter catalogue's microgenres. */
export const starterMicrogenres = (): string[] =>
  readFileSync(packageFolder('catalogue/microgenres.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[1] ?? '')
