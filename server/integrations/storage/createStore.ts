import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Env } from '../../env.ts'
import { LocalStore } from './LocalStore.ts'
import type { ObjectStore } from './ObjectStore.ts'
import { S3Store } from './S3Store.ts'

/** The configured store. Its `disk` receives what is sent to the server. */
export type Store = ObjectStore & { readonly disk: LocalStore }

/** A bucket when S3_BUCKET is set, else the disk below DATA_DIR. */
export function createStore(env: Env, log: Logger, secret: string): Store {
  const { S3_BUCKET } = env
  const openDisk = (keepFile?: (key: string, path: string) => Promise<void>) =>
    new LocalStore(join(env.DATA_DIR, 'uploads'), secret, (key) => `${env.publicUrl}/${key}`, keepFile)
  return S3_BUCKET ? new S3Store({ ...env, S3_BUCKET }, log, openDisk) : openDisk()
}
