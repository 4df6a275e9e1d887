import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readEnv } from '../env.ts'
import { readSecret } from './secret.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bob-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const secret = () => readSecret(readEnv({ DATA_DIR: folder }))

test('a generated secret is stored and stays the same', () => {
  const first = secret()

  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(secret()).toBe(first)
})

test('an empty file, which a power cut may have left, is no secret', () => {
  writeFileSync(join(folder, 'secret'), '')

  const made = secret()

  expect(made).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${made}\n`)
})
