// npm run companion: installs Uppy's Companion in companion/, and runs it. Needs the keys of a provider.
import { handOver } from './handOver.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureReady } from './ready.mjs'

await ensureReady()
try {
  await requireProviderKeys()
  await ensureInstalled({ inside: 'companion' })
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
await handOver('dist/server/programs/companion.js')

/** Without keys nothing is installed. */
async function requireProviderKeys() {
  const { readEnv } = await import('../dist/server/env.js')
  const companion = await import('../dist/server/integrations/companion/hostCompanion.js')
  companion.requireProviderKeys(readEnv(process.env))
}
