// npm run catalogue -- import FILE and its like: the operator's work on the songs. docs/catalogue.md
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
// Relative paths begin where the operator stands, and handOver goes to the project's folder.
handOver(['dist/server/catalogue.js', ...process.argv.slice(2)], { INIT_CWD: process.cwd(), ...process.env })
