import type { Logger } from 'pino'
import type { Env } from '../env.ts'
import { createDeezer, type Deezer } from './deezer.ts'
import { createMailer, type Mailer } from './mailer.ts'
import { createStore, type Store } from './storage/createStore.ts'

/** The services outside, each behind a client that answers a failure as a value. */
export interface Integrations {
  mailer: Mailer
  deezer: Deezer
  store: Store
}

/** `secret` is what the server signs with. */
export function createIntegrations(env: Env, log: Logger, secret: string): Integrations {
  return { mailer: createMailer(env, log), deezer: createDeezer(env, log), store: createStore(env, secret) }
}
