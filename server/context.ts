import type { Logger } from 'pino'
import type { Database } from './db/connection.ts'
import type { Reader } from './db/reader.ts'
import type { Env } from './env.ts'
import type { Integrations } from './integrations/integrations.ts'

/** What every part of the server receives. */
export interface Context {
  env: Env
  db: Database
  /** For reads that may be a few seconds old. */
  read: Reader
  log: Logger
  integrations: Integrations

  secret: string
}
