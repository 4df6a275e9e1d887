import { runCatalogue } from '../../server/catalogue/runCatalogue.ts'
import type { Ran } from './startProgram.ts'

/** `npm run catalogue` in this process, because a process of its own takes a second to start. */
export async function runCatalogueHere(
  args: string[],
  {
    environment,
    folder,
    signal = new AbortController().signal,
  }: { environment: Record<string, string>; folder: string; signal?: AbortSignal },
): Promise<Ran> {
  const said = { stdout: '', stderr: '' }
  const code = await runCatalogue(args, {
    environment: { NODE_ENV: 'test', ...environment },
    folder,
    signal,
    print(line) {
      said.stdout += `${line}\n`
    },
    printError(line) {
      said.stderr += `${line}\n`
    },
  })
  return { code, ...said }
}
