// npm run build: builds also what is up to date. `--if-changed` does not.
import { build, ensureBuilt } from './build.mjs'

try {
  await (process.argv.includes('--if-changed') ? ensureBuilt() : build())
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
