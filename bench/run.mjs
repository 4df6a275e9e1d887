import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../scripts/build.mjs'
import { ensureInstalled } from '../scripts/install.mjs'

/* `npm run bench -- <name>` runs bench/<name>.ts; without a name the last figures of all benches are shown. */

const here = fileURLToPath(new URL('.', import.meta.url))
const [name = '', ...rest] = process.argv.slice(2)

if (name === '') {
  const code = await run('measure/showTable', [])
  console.log(`\n${usage()}`)
  process.exit(code)
}
if (!/^\w+$/.test(name) || !existsSync(`${here}${name}.ts`)) {
  console.error(usage())
  process.exit(1)
}
await ensureInstalled({ workspaces: true })
// Figures of an older build would be recorded for this commit.
await ensureBuilt()
process.exit(await run(name, rest))

function usage() {
  const names = readdirSync(here).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
  return `Usage: npm run bench -- ${names.join(' | ')}`
}

function run(program, args) {
  const child = spawn(process.execPath, ['--import', 'tsx', `${here}${program}.ts`, ...args], {
    cwd: `${here}..`,
    stdio: 'inherit',
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
