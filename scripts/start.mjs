// npm start: installs what is missing, builds what changed, and runs the server.
import { ensureBuilt } from './build.mjs'
import { checkNode } from './checkNode.mjs'
import { handOver } from './handOver.mjs'
import { ensureInstalled } from './install.mjs'

checkNode()
try {
  await ensureInstalled()
  await ensureBuilt()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
handOver(['dist/server/main.js'])
