// The programs beside the server: npm run doctor, sign-in-link, account and the like. Arguments: which one, and what it is given.
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
const [name, ...given] = process.argv.slice(2)
// Relative paths begin where the operator stands, and handOver goes to the project's folder.
handOver([`dist/server/${name}.js`, ...given], { INIT_CWD: process.cwd(), ...process.env })
