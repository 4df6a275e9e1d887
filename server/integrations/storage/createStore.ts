import { join } from 'node:path'
import type { Env } from '../../env.ts'
import { LocalStore } from './LocalStore.ts'
import type { ObjectStore } from './ObjectStore.ts'

/** The store that is configured. `local` is the same one where it is the disk: it takes what is sent to it. */
export type Store = ObjectStore & { readonly local: LocalStore | null }

export function createStore(env: Env, secret: string): Store {
  return new LocalStore(join(env.DATA_DIR, 'uploads'), secret, (key) => `${env.publicUrl}/${key}`)
}
