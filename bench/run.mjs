import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from '../scripts/build.mjs'
import { ensureInstalled } from '../scripts/install.mjs'

/* `npm run bench -- <name>` runs bench/<name>.ts; without a name the last figures of all benches are shown. */

const here = fileURLToPath(new URL('.', import.meta.url))
const [name = '', ...args] = process.argv.slice(2)
const names = readdirSync(here).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))

if (name === '') showFigures()
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')} [--short]`)
  process.exit(name === '' ? 0 : 1)
}
await ensureInstalled({ workspaces: true })
// Figures of an older build would be recorded for this commit.
await ensureBuilt()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', `${here}${name}.ts`, ...args], {
  cwd: `${here}..`,
  stdio: 'inherit',
})
process.exit(status ?? 1)

function showFigures() {
  for (const name of names) {
    const file = `${here}figures/${name}.json`
    const parts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    for (const [part, { figures, run }] of Object.entries(parts)) {
      const { cpu, cores, loadBefore, loadAfter, node, commit, date, settings = {} } = run
      const changed = Object.entries(settings).map((each) => each.join('='))
      console.log(
        `${[name, part].join(' ')}: ${cpu}, ${cores} cores, load ${loadBefore} to ${loadAfter}, ` +
          `Node ${[node, commit, date, ...changed].join(', ')}`,
      )
      for (const [what, { figure, least, most, goal, isMet }] of Object.entries(figures)) {
        const range = most === undefined ? '' : ` (${least} to ${most})`
        const verdict = goal ? `, ${goal}: ${isMet ? 'met' : 'MISSED'}` : ''
        console.log(`  ${what}: ${figure ?? 'not measured'}${range}${verdict}`)
      }
    }
  }
}
