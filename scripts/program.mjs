// Runs an operator's program: npm run doctor, sign-in-link, account and so on. Arguments: its name, then its own
// arguments.
import { handOver } from './handOver.mjs'
import { ensureReady } from './ready.mjs'

await ensureReady()
const [name, ...given] = process.argv.slice(2)
// Relative paths start where the operator is; handOver changes to the project's folder.
process.env.INIT_CWD ??= process.cwd()
await handOver(`dist/server/programs/${name}.js`, given)
