import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../env.ts'

/** Returns SESSION_SECRET, or a secret that is generated once and stored in DATA_DIR, readable only for its owner. */
export function readSecret(env: Env): string {
  if (env.SESSION_SECRET) return env.SESSION_SECRET
  const path = join(env.DATA_DIR, 'secret')
  const stored = read(path)
  if (stored) return stored
  mkdirSync(env.DATA_DIR, { recursive: true })
  const secret = randomBytes(32).toString('hex')
  // Without a flush, a power cut could leave an empty file.
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flush: true })
  return secret
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
