import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { findSecrets } from './findSecrets.ts'
import { SESSION_SECRET, type TestApp } from './setUpApp.ts'
import { startProgram } from './startProgram.ts'

export interface Companion {
  /** Its log so far, one line each. No line may contain an e-mail or a token; `stop` checks. */
  logged(): string[]
  /** Stops it with SIGTERM. */
  stop(): Promise<void>
}

/**
 * The Companion process of `app`, run from its source, with the packages that `npm run test:all` installs. Its requests to
 * providers go to the local ports that `hosts` lists by host.
 */
export async function startCompanion(
  { url, dataDir }: TestApp,
  { port, env, hosts }: { port: number; env: Record<string, string>; hosts: Record<string, number> },
): Promise<Companion> {
  const { child, programEnd } = startProgram('companion', [], {
    folder: dataDir,
    env: {
      COMPANION_PORT: String(port),
      PUBLIC_URL: url.replace('127.0.0.1', 'localhost'),
      DATA_DIR: path.join(dataDir, 'companion'),
      SESSION_SECRET,
      NODE_OPTIONS: `--import ${pathToFileURL(path.resolve('tests/stand-ins/providerHosts.mjs')).href}`,
      PROVIDER_HOSTS: JSON.stringify(hosts),
      ...env,
    },
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('Companion is ready')) resolve()
    })
    programEnd.then(({ stderr }) => reject(new Error(`Companion ended: ${printed}${stderr}`)), reject)
  })
  return {
    logged: () => printed.split('\n').filter((line) => line.startsWith('{')),
    async stop() {
      child.kill('SIGTERM')
      const { code, stderr } = await programEnd
      if (code !== 0) throw new Error(`Companion ended with ${code}: ${stderr}`)
      expect(printed.split('\n').filter((line) => findSecrets(line).length > 0)).toEqual([])
    },
  }
}
