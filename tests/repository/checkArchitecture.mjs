import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { checkWriters } from './findWriters.mjs'

/*
 * Checks the rules of .dependency-cruiser.mjs in the given folders, by default in all, and which code writes to which
 * table. Also fails when it read no modules.
 */

// dependency-cruiser reads TypeScript 7 through swc, but does not tell it which files are TSX.
const swc = createRequire(import.meta.url)('@swc/core')
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('x') })

const { cruise } = await import('dependency-cruiser')
const { default: config } = await import('../../.dependency-cruiser.mjs')

const folders = process.argv.slice(2)
const { output } = await cruise(folders.length > 0 ? folders : ['contract', 'catalogue', 'server', 'web'], {
  ...config.options,
  ruleSet: { forbidden: config.forbidden },
  validate: true,
  outputType: 'json',
})
const { summary, modules } = JSON.parse(output)
const own = modules.filter((module) => /^(contract|catalogue|server|web|tests)\//.test(module.source))
const read = own.filter((module) => module.dependencies.length > 0).length

const violations = [
  ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  ...(existsSync('server/db/tables') ? checkWriters('.') : []).map(
    (text) => `tables-name-their-writers: ${text}`,
  ),
]
for (const violation of violations) console.error(violation)
console.log(`architecture: ${own.length} modules read, ${read} with imports, ${violations.length} violations`)
process.exit(read === 0 || violations.length > 0 ? 1 : 0)
