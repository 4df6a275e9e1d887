import { expect, test } from 'vitest'
import { urlOf } from '../harness/databaseProxy.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpFolder.ts'
import { startProgram } from '../harness/startProgram.ts'

/* What an operator's program answers to a call that is wrong. */

const database = setUpDatabase()
const folder = setUpFolder()

function run(name: string, args: string[], env: Record<string, string> = {}) {
  return startProgram(name, args, { env: { DATA_DIR: folder, ...env }, folder }).ended
}

test.each([
  ['account', ['constructor', 'ada@example.test']],
  ['account', ['invite', '--days', 'many']],
  ['backup', []],
  ['backup', ['one', 'two']],
  ['catalogue', ['export']],
  ['database', ['destroy']],
  ['doctor', ['--all']],
  ['feedback', ['--since', '2026-02-30']],
  ['feedback', ['--since', '2025-02-29']],
  ['feedback', ['--since', '2026-04-31']],
  ['feedback', ['--since', 'yesterday']],
  ['learn', ['now']],
  ['restore', []],
  ['restore', ['one', 'two']],
  ['share', ['revoke']],
  ['signInLink', ['nobody']],
])('%s %j prints how it is called and exits with 2', async (name, args) => {
  const { code, stdout, stderr } = await run(name, args)

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^Usage: npm run /)
})

test.each([
  ['backup', ['nowhere/a.backup'], /^\S+\/nowhere\/a\.backup cannot be used: no such file or directory\.\n$/],
  ['restore', ['nowhere/a.backup'], /^There is no file \S+nowhere\/a\.backup\.\n$/],
  ['feedback', [], /^The database does not answer: .*ECONNREFUSED.*\n$/, 'postgres://127.0.0.1:9/bangers'],
])('%s %j says in words what failed', async (name, args, words, address?: string) => {
  const { code, stderr } = await run(name, args, { DATABASE_URL: address ?? urlOf(database.target) })

  expect(stderr).toMatch(words)
  expect(code).toBe(1)
})
