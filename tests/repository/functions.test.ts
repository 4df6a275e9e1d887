import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFunctions } from '../../server/db/functions.ts'
import { packagePath } from '../../server/packagePath.ts'

const functions = [...readFunctions()]

test.each(functions)(
  '%s.sql creates the function of this name, and calls others in its schema',
  (name, text) => {
    const code = text.replace(/--.*/g, '')
    const others = functions.map(([other]) => other).join('|')

    expect(code.match(/^CREATE\b.*$/gm)).toEqual([
      expect.stringMatching(new RegExp(`^CREATE FUNCTION functions\\.${name}\\(`)),
    ])
    expect(code.match(new RegExp(`(?<!functions\\.)\\b(${others})\\(`, 'g'))).toBeNull()
  },
)

test('migrations contain tables only, and drizzle-kit has one snapshot, the newest', () => {
  const folder = packagePath('server/db/migrations')
  const migrations = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const snapshots = readdirSync(join(folder, 'meta')).filter((file) => file.endsWith('_snapshot.json'))

  expect(migrations.filter((file) => /\bFUNCTION\b/i.test(readFileSync(join(folder, file), 'utf8')))).toEqual(
    [],
  )
  expect(snapshots).toEqual([`${migrations.sort().at(-1)?.slice(0, 4)}_snapshot.json`])
})
