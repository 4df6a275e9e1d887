import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Env } from '../../env.ts'
import { LocalStore } from './LocalStore.ts'
import type { ObjectStore } from './ObjectStore.ts'
import { S3Store } from './S3Store.ts'

/** The configured store. `local` is set when it is the local disk, which receives files itself. */
export type Store = ObjectStore & { readonly local: LocalStore | null }

/** A bucket when S3_BUCKET is set, else the disk below DATA_DIR. */
export function createStore(env: Env, log: Logger, secret: string): Store {
  const { S3_BUCKET } = env
  if (S3_BUCKET) return new S3Store({ ...env, S3_BUCKET }, log)
  return new LocalStore(join(env.DATA_DIR, 'uploads'), secret, (key) => `${env.publicUrl}/${key}`)
}
