import { runCatalogue } from '../catalogue/runCatalogue.ts'
import { printable } from '../process/log.ts'

/** `npm run catalogue -- COMMAND`: see docs/catalogue.md. */
const controller = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
process.exitCode = await runCatalogue(process.argv.slice(2), {
  environment: process.env,
  // npm changes to the project folder; INIT_CWD is where the operator was.
  folder: process.env.INIT_CWD ?? process.cwd(),
  signal: controller.signal,
  print: (line) => process.stdout.write(`${printable(line)}\n`),
  printError: (line) => process.stderr.write(`${printable(line)}\n`),
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop)

/** The first signal stops in order; a second one stops at once, and unfinished work is rolled back. */
function stop(): void {
  if (controller.signal.aborted) process.exit(130)
  process.stderr.write('\nStopping after the current batch. Press Ctrl-C again to stop at once.\n')
  controller.abort()
}
