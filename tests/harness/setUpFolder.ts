import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A temporary folder for this test file. */
export function setUpFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bob-tests-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
