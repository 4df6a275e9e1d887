// npm run dev: the server with reload, which also serves the web with hot reload.

import { handOver } from './handOver.mjs'
import { ensureInstalled } from './install.mjs'
import { checkNode } from './ready.mjs'

checkNode()
try {
  await ensureInstalled({ workspaces: true })
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
process.env.BOB_DEV_WEB = '1'
await handOver('node_modules/tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'server/main.ts'])
