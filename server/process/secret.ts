import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../env.ts'

/** SESSION_SECRET, or a secret generated once and stored in DATA_DIR, readable by its owner only. */
export function readSecret(env: Env): string {
  if (env.SESSION_SECRET) return env.SESSION_SECRET
  const path = join(env.DATA_DIR, 'secret')
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    mkdirSync(env.DATA_DIR, { recursive: true })
    const secret = randomBytes(32).toString('hex')
    writeFileSync(path, `${secret}\n`, { mode: 0o600 })
    return secret
  }
}
