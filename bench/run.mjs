import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/* `npm run bench -- <name>` runs bench/<name>.ts. */

const here = fileURLToPath(new URL('.', import.meta.url))
const [name = '', ...rest] = process.argv.slice(2)
const program = `${here}${name}.ts`

if (!/^\w+$/.test(name) || !existsSync(program)) {
  const names = readdirSync(here).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`)
  process.exit(1)
}
if (!existsSync(`${here}../dist/server/main.js`)) {
  console.error('Run npm run build first.')
  process.exit(1)
}
const bench = spawn(process.execPath, ['--import', 'tsx', program, ...rest], {
  cwd: `${here}..`,
  stdio: 'inherit',
})
bench.on('exit', (code) => process.exit(code ?? 1))
