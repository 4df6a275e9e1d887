import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { type Env, readEnv } from '../env.ts'
import { hostCompanion, requireProviderKeys } from '../integrations/companion/hostCompanion.ts'
import { createLog, print } from '../process/log.ts'
import { readSecret } from '../process/secret.ts'
import { endInOrder, exitAfter, stopOnSignal } from '../process/shutdown.ts'
import { RETIRE_MESSAGE, supervise } from '../process/supervise.ts'
import { exitCodeOf, messageOf } from './runCommand.ts'

/** Milliseconds that shutdown waits for transfers. */
const TRANSFERS_TIMEOUT = 8000

/** `npm run companion`: fetches files from remote providers for the server. */
await start().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(exitCodeOf(error))
})

async function start(): Promise<void> {
  const env = readEnv(process.env)
  requireProviderKeys(env)
  if (cluster.isPrimary)
    await supervise({ exec: fileURLToPath(import.meta.url), count: 1, stopTimeout: 2 * TRANSFERS_TIMEOUT })
  else await host(env)
}

async function host(env: Env): Promise<void> {
  const log = createLog(env.LOG_LEVEL, pino.destination({ sync: false }))
  const server = await hostCompanion(env, readSecret(env), log)
  await listen(server, env)
  const { port } = server.address() as AddressInfo
  print(`Companion is ready on port ${port}: ${Object.keys(env.remoteProviders).join(', ')}`)
  const stop = exitAfter(async () => {
    print('stopping')
    const transfers = {
      name: 'transfers',
      timeout: TRANSFERS_TIMEOUT,
      end: () => new Promise((resolve) => server.close(resolve)),
      force: () => server.closeAllConnections(),
    }
    for (const line of await endInOrder([transfers])) log.warn(`stopping: ${line}`)
    log.flush()
  })
  stopOnSignal(stop)
  process.on('message', (message) => message === RETIRE_MESSAGE && stop())
}

function listen(server: Server, { COMPANION_PORT, HOST }: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(COMPANION_PORT, HOST, resolve)
  })
}
