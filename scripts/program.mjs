// Runs an operator's program: npm run doctor, sign-in-link, account and so on. Arguments: its name, then its own
// arguments.
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
// Relative paths start where the operator is; handOver changes to the project's folder.
handOver([`dist/server/programs/${name}.js`, ...given], { INIT_CWD: process.cwd(), ...process.env })
