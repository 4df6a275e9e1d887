// npm run share -- revoke TOKEN: ends a share link, beside a server that runs or without one.
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
handOver(['dist/server/share.js', ...process.argv.slice(2)])
