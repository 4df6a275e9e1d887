import { runCatalogue } from './catalogue/runCatalogue.ts'

/** `npm run catalogue -- import FILE` and its like: the operator's work on the songs. docs/catalogue.md */
const stopping = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
process.exitCode = await runCatalogue(process.argv.slice(2), {
  environment: process.env,
  // npm runs programs in the project's folder, and tells where it was started itself.
  folder: process.env.INIT_CWD ?? process.cwd(),
  signal: stopping.signal,
  say: (line) => process.stdout.write(`${printable(line)}\n`),
  complain: (line) => process.stderr.write(`${printable(line)}\n`),
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop)

/** The first signal ends the work in order, a second one at once: what was not finished is taken back then. */
function stop(): void {
  if (stopping.signal.aborted) process.exit(130)
  process.stderr.write('\nStopping when the songs under way are done. Once more stops at once.\n')
  stopping.abort()
}

/** Names out of a file are shown, and a terminal obeys control characters. */
function printable(line: string): string {
  return line.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')
}
