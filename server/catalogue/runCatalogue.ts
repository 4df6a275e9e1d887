import { parseArgs } from 'node:util'
import { readEnv } from '../env.ts'
import { type CommandLine, USAGE } from './commandLine.ts'
import { runCheck } from './runCheck.ts'
import { runEnrich } from './runEnrich.ts'
import { runExport } from './runExport.ts'
import { runGrow } from './runGrow.ts'
import { runImport } from './runImport.ts'
import { runVerify } from './runVerify.ts'
import { runVideos } from './runVideos.ts'

const COMMANDS = {
  import: runImport,
  export: runExport,
  check: runCheck,
  verify: runVerify,
  enrich: runEnrich,
  videos: runVideos,
  grow: runGrow,
}

interface Caller extends Omit<CommandLine, 'env' | 'files' | 'options'> {
  environment: Record<string, string | undefined>
}

/** Runs one command and returns its exit code. Prints errors. */
export async function runCatalogue(args: string[], { environment, ...caller }: Caller): Promise<number> {
  try {
    const { values: options, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
    const [name = '', ...files] = positionals
    const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1]
    if (command) return await command({ ...caller, files, options, env: readEnv(environment) })
  } catch (error) {
    if (!isMistyped(error)) {
      caller.printError(error instanceof Error ? error.message : String(error))
      return 1
    }
    caller.printError(`${error.message}\n`)
  }
  caller.printError(USAGE)
  return 2
}

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  update: { type: 'boolean' },
  'create-microgenres': { type: 'boolean' },
  microgenre: { type: 'string' },
  microgenres: { type: 'string' },
  columns: { type: 'string' },
  format: { type: 'string' },
  limit: { type: 'string' },
  report: { type: 'string' },
  coverage: { type: 'boolean' },
} as const

/** An error of `parseArgs`. */
function isMistyped(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
