import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { ProviderName } from '../../contract/auth.ts'
import { DatabaseUnavailable } from '../db/connections.ts'
import { openForProgram } from '../db/openForProgram.ts'
import type { Env } from '../env.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { findCorsFault } from '../integrations/storage/findCorsFault.ts'
import { uploadKey } from '../integrations/storage/objectKeys.ts'

/** The result for one part. `off` means not configured, which is not an error. */
export interface Finding {
  part: string
  state: 'ok' | 'off' | 'fault'
  words: string
}

type Examined = Pick<Integrations, 'mailer' | 'signIn' | 'store' | 'companion'>

/** Checks everything that is configured. Never throws; no message contains a secret. */
export function examine(env: Env, integrations: Examined): Promise<Finding[]> {
  return Promise.all([
    examineDatabase(env),
    examineMail(env, integrations),
    examineStorage(env, integrations),
    examineCompanion(env, integrations),
    ...providers.map((provider) => examineProvider(provider, env, integrations)),
  ])
}

async function examineDatabase(env: Env): Promise<Finding> {
  const part = 'Database'
  const where = env.DATABASE_URL ? new URL(env.DATABASE_URL).host : `the embedded one in ${env.DATA_DIR}`
  try {
    const { db, address, close } = await openForProgram(env)
    try {
      const [row] = await db<{ version: string }[]>`select current_setting('server_version') as version`
      const beside = address ? `, beside the server at ${address}` : ''
      return { part, state: 'ok', words: `PostgreSQL ${row?.version.split(' ')[0]}, ${where}${beside}` }
    } finally {
      await close()
    }
  } catch (error) {
    return { part, state: 'fault', words: `does not answer (${reasonOf(error)}): ${where}` }
  }
}

async function examineMail(env: Env, { mailer }: Examined): Promise<Finding> {
  const part = 'Mail'
  if (!env.SMTP_URL) {
    return { part, state: 'off', words: 'SMTP_URL is not set: nobody gets a sign-in link by e-mail' }
  }
  const fault = await mailer.findFault()
  const { host } = new URL(env.SMTP_URL)
  if (fault) return { part, state: 'fault', words: `${host} does not answer as it should (${fault})` }
  return { part, state: 'ok', words: `${host} takes mail from ${env.MAIL_FROM}` }
}

/** An id that no listener has. */
const NOBODY = '999999999999999999'

/** Writes a file like an upload and deletes it; to a bucket also as a browser does. */
async function examineStorage(env: Env, { store }: Examined): Promise<Finding> {
  const part = 'Storage'
  const where = env.S3_BUCKET
    ? `the bucket ${env.S3_BUCKET} at ${env.bucketOrigin}`
    : resolve(env.DATA_DIR, 'uploads')
  const key = uploadKey(NOBODY, randomBytes(16).toString('base64url'))
  try {
    await store.write(key, Buffer.from('Written by npm run doctor.'), 'text/plain')
    await store.remove(key)
    if (store.local) return { part, state: 'ok', words: `${where} takes files` }
    const { origin } = new URL(env.publicUrl)
    const fault = await findCorsFault(store, key, origin)
    if (fault) return { part, state: 'fault', words: `${where} does not take files of browsers: ${fault}` }
    return { part, state: 'ok', words: `${where} takes files, those of browsers at ${origin} too` }
  } catch (error) {
    return { part, state: 'fault', words: `${where} does not take files (${reasonOf(error)})` }
  }
}

async function examineCompanion(env: Env, { companion }: Examined): Promise<Finding> {
  const part = 'Companion'
  if (!env.companionUrl || !companion) {
    return { part, state: 'off', words: 'COMPANION_* is not set: files come from the own device alone' }
  }
  const { host } = new URL(env.companionUrl)
  const found = await companion.listProviders()
  if ('providers' in found)
    return { part, state: 'ok', words: `${host} fetches files from ${found.providers.join(', ')}` }
  const words = `${host} does not answer as it should (${found.failure}): start it with npm run companion`
  return { part, state: 'fault', words }
}

interface Provider {
  name: ProviderName
  part: string
  keys: (keyof Env)[]
}

const providers: Provider[] = [
  { name: 'google', part: 'Google', keys: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
  { name: 'facebook', part: 'Facebook', keys: ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'] },
  { name: 'replit', part: 'Replit', keys: ['REPLIT_CLIENT_ID'] },
]

async function examineProvider(
  { name, part, keys }: Provider,
  env: Env,
  { signIn }: Examined,
): Promise<Finding> {
  const provider = signIn[name]
  if (!provider) {
    const missing = keys.filter((key) => !env[key])
    const state = missing.length < keys.length ? 'fault' : 'off'
    return {
      part,
      state,
      words: `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: not available`,
    }
  }
  const fault = await provider.findFault()
  if (fault) return { part, state: 'fault', words: `does not answer as it should (${fault})` }
  return { part, state: 'ok', words: 'answers; the first sign-in proves the keys' }
}

/** A code such as ECONNREFUSED, or the message where there is none. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The pool's error wraps the system's, which is more specific.
  if (error instanceof DatabaseUnavailable && error.cause) return reasonOf(error.cause)
  return 'code' in error && error.code ? String(error.code) : error.message
}
