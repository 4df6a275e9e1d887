import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFunctions, sha256 } from '../../server/db/functions.ts'
import { packageFolder } from '../../server/packageFolder.ts'

const { revision, texts } = readFunctions()

test('a changed function needs a new revision, so that older servers do not replace it', () => {
  const all = [...texts].sort().map(([name, text]) => `${name}\n${text}`)
  const file = join(packageFolder('server/db/functions'), 'revision.json')
  const written = JSON.parse(readFileSync(file, 'utf8')) as { sha256: string }

  expect(
    sha256(all.join('\n')),
    `The functions differ from those of revision ${revision}. Raise "revision" in revision.json to ${revision + 1} if they have landed, and set "sha256" to the value received below.`,
  ).toBe(written.sha256)
})

test.each([...texts])('%s.sql replaces the function of this name, and no other', (name, text) => {
  const statements = [...text.matchAll(/^CREATE\b.*$/gm)].map(([line]) => line)

  expect(statements).toHaveLength(1)
  expect(statements[0]).toContain(`CREATE OR REPLACE FUNCTION ${name}(`)
})

/** The last migration with functions. */
const LAST_WITH_FUNCTIONS = '0011_drop_feistel_round.sql'

test('migrations contain tables only', () => {
  const folder = packageFolder('server/db/migrations')
  const later = readdirSync(folder).filter((file) => file.endsWith('.sql') && file > LAST_WITH_FUNCTIONS)

  expect(later.filter((file) => /\bFUNCTION\b/i.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
})
