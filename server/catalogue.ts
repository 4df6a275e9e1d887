import { parseArgs } from 'node:util'
import { BadInput } from './catalogue/fault.ts'
import { runCheck } from './catalogue/runCheck.ts'
import { runExport } from './catalogue/runExport.ts'
import { runImport } from './catalogue/runImport.ts'
import { USAGE } from './catalogue/usage.ts'
import { readEnv } from './env.ts'

/** `npm run catalogue -- import FILE` and its like: the operator's work on the songs. docs/catalogue.md */
const COMMANDS = { import: runImport, export: runExport, check: runCheck }

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 1
})

async function run(args: string[]): Promise<number> {
  const given = readArguments(args)
  if (!given) {
    console.error(USAGE)
    return 2
  }
  const stopping = new AbortController()
  const stopListening = stopOnSignal(stopping)
  try {
    return await given.command({
      ...given,
      env: readEnv(process.env),
      signal: stopping.signal,
      // npm runs programs in the project's folder, and tells where it was started itself.
      folder: process.env.INIT_CWD ?? process.cwd(),
    })
  } catch (error) {
    if (!(error instanceof BadInput)) throw error
    console.error(error.message)
    return 1
  } finally {
    stopListening()
  }
}

function readArguments(args: string[]) {
  try {
    const { values: options, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        update: { type: 'boolean' },
        'create-microgenres': { type: 'boolean' },
        microgenre: { type: 'string' },
        microgenres: { type: 'string' },
        columns: { type: 'string' },
        format: { type: 'string' },
        report: { type: 'string' },
        limit: { type: 'string' },
      },
    })
    const [name = '', ...files] = positionals
    const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1]
    return command ? { command, options, files } : undefined
  } catch (error) {
    console.error(error instanceof Error ? `${error.message}\n` : error)
    return undefined
  }
}

/** The first signal ends the work in order, a second one at once: what was not finished is taken back then. */
function stopOnSignal(stopping: AbortController): () => void {
  const stop = () => {
    if (stopping.signal.aborted) process.exit(130)
    process.stderr.write('\nStopping when the songs under way are done. Once more stops at once.\n')
    stopping.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop)
  }
}
