// npm start: installs what is missing, builds what changed, and keeps the server running.
import { ensureBuilt } from './build.mjs'
import { checkNode } from './checkNode.mjs'
import { ensureInstalled } from './install.mjs'
import { keepRunning } from './keepRunning.mjs'

checkNode()
try {
  await ensureInstalled()
  await ensureBuilt()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
keepRunning(['dist/server/main.js'])
