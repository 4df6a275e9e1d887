// npm run build: builds also what is up to date.
import { build } from './build.mjs'

try {
  await build()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
