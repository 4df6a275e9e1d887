import { createRequire } from 'node:module'
import os from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** Starts a module as a thread, given without its extension. When run from source (development, tests) it needs tsx. */
export function startThread(module: URL, megabytes: number): Worker {
  const settings = {
    // The thread needs no environment, least of all its secrets.
    env: {},
    // By default the young generation alone may take 48 MiB.
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 },
  }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`${module.href}.js`), settings)
  const tsx = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href
  const program = `import(${JSON.stringify(tsx)}).then(({ register }) => (register(), import(${JSON.stringify(`${module.href}.ts`)})))`
  return new Worker(program, { ...settings, eval: true, execArgv: [] })
}

/** On Linux this affects only the calling thread, so that the main thread goes first. */
export function lowerPriority(): void {
  if (process.platform === 'linux') os.setPriority(0, 10)
}
