import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProviderName } from '../../contract/auth.ts'
import { canHavePasskeys, passkeySite } from '../auth/verifyPasskey.ts'
import type { Env } from '../env.ts'
import type { Integrations } from '../integrations/integrations.ts'
import type { DnsRecords } from '../integrations/ownDomain.ts'
import { reserveBytes } from '../integrations/storage/DiskReserve.ts'
import { findCorsFault } from '../integrations/storage/findCorsFault.ts'
import { uploadKey } from '../integrations/storage/ObjectStore.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkMailRecords } from './checkMailRecords.ts'
import { checkProxy } from './checkProxy.ts'
import { type Finding, findingsFor, reasonOf, summarizeAdvice } from './finding.ts'

type Services = Pick<Integrations, 'mailer' | 'signIn' | 'store' | 'companion'> & { dns: DnsRecords }

/** Milliseconds for each check, which may have to start the embedded database. */
const CHECK_TIMEOUT = 60_000

/** Checks everything that is configured. Never throws; no message contains a secret. */
export async function checkServices(
  env: Env,
  integrations: Services,
  timeout = CHECK_TIMEOUT,
): Promise<Finding[]> {
  const checks: Record<string, Promise<Finding | Finding[]> | Finding> = {
    Database: checkDatabase(env),
    Disk: checkDisk(env),
    Proxy: checkProxy(env),
    Mail: checkMail(env, integrations),
    Sender: checkMailRecords(env, integrations.dns),
    Storage: checkStorage(env, integrations),
    Companion: checkCompanion(env, integrations),
    Contact: checkContact(env),
    Registration: checkRegistration(env, integrations),
    Visitors: checkVisitors(env),
    Settings: summarizeAdvice('Settings', env.misspelt, 'no variable looks misspelt'),
    Passkeys: checkPasskeys(env),
    Diagnostics: checkDiagnostics(env),
    Elsewhere: checkElsewhere(env),
    Growth: checkGrowth(env),
  }
  for (const provider of providers) checks[provider.part] = checkProvider(provider, env, integrations)
  const findings = await Promise.all(
    Object.entries(checks).map(([part, check]) => withTimeout(part, check, timeout)),
  )
  return findings.flat()
}

async function withTimeout(
  part: string,
  check: Promise<Finding | Finding[]> | Finding,
  timeout: number,
): Promise<Finding | Finding[]> {
  const controller = new AbortController()
  const late = findingsFor(part).fault(`did not answer within ${timeout / 1000} seconds`)
  const timer = wait(timeout, late, { signal: controller.signal }).catch(() => late)
  return Promise.race([check, timer]).finally(() => controller.abort())
}

async function checkMail(env: Env, { mailer }: Services): Promise<Finding> {
  const { ok, off, fault } = findingsFor('Mail')
  if (!env.SMTP_URL) {
    return off('SMTP_URL is not set: sign-in links cannot be mailed')
  }
  const reason = await mailer.findFault()
  const { host } = new URL(env.SMTP_URL)
  if (reason) return fault(`${host} failed the check (${reason})`)
  return ok(`${host} answers, and accepts the keys; mail comes from ${env.MAIL_FROM}`)
}

/** An id that no listener has. */
const UNUSED_USER_ID = '999999999999999999'

/** Uploads a file and deletes it, for a bucket also as a browser does. */
async function checkStorage(env: Env, { store }: Services): Promise<Finding> {
  const { ok, fault } = findingsFor('Storage')
  const where = env.S3_BUCKET
    ? `the bucket ${env.S3_BUCKET} at ${env.bucketOrigin}`
    : resolve(env.DATA_DIR, 'uploads')
  const key = uploadKey(UNUSED_USER_ID, randomBytes(16).toString('base64url'))
  try {
    await store.write(key, Buffer.from('Written by npm run doctor.'), 'text/plain')
    await store.remove(key)
    if (!env.S3_BUCKET) return ok(`${where} accepts files`)
    const { origin } = new URL(env.publicUrl)
    const reason = await findCorsFault(store, key, origin)
    if (reason) return fault(`${where} rejects uploads from browsers: ${reason}`)
    return ok(`${where} accepts files, also from browsers at ${origin}`)
  } catch (error) {
    return fault(`${where} does not accept files (${reasonOf(error)})`)
  }
}

async function checkCompanion(env: Env, { companion }: Services): Promise<Finding> {
  const { ok, off, fault } = findingsFor('Companion')
  if (!env.companionUrl || !companion) {
    return off('COMPANION_* is not set: files can be uploaded from the device only')
  }
  const { host } = new URL(env.companionUrl)
  const found = await companion.listProviders()
  if ('providers' in found) return ok(`${host} fetches files from ${found.providers.join(', ')}`)
  return fault(`${host} failed the check (${found.failure}): start it with npm run companion`)
}

function checkContact({ CONTACT_EMAIL, OPERATOR_NAME, SMTP_URL }: Env): Finding {
  const { ok, off } = findingsFor('Contact')
  const missing = [...(CONTACT_EMAIL ? [] : ['CONTACT_EMAIL']), ...(OPERATOR_NAME ? [] : ['OPERATOR_NAME'])]
  const inbox =
    CONTACT_EMAIL && SMTP_URL
      ? `feedback is mailed to ${CONTACT_EMAIL}`
      : 'feedback is not mailed: read it with npm run feedback'
  if (missing.length === 0) return ok(`${OPERATOR_NAME}; ${inbox}`)
  const names = `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set`
  return off(`${names}, for the privacy page; ${inbox}`)
}

/** signin-16, signin-17 */
export function checkRegistration(
  { REGISTRATION, SMTP_URL, production }: Env,
  { signIn }: Pick<Services, 'signIn'>,
): Finding {
  const { ok, off } = findingsFor('Registration')
  const rule = `${REGISTRATION}: ${REGISTRATIONS[REGISTRATION]}`
  if (!production || SMTP_URL || Object.values(signIn).some(Boolean)) return ok(rule)
  return off(`${rule}; without SMTP_URL or the keys of a provider, all need a link from npm run sign-in-link`)
}

const REGISTRATIONS = {
  open: 'people get an account when they first sign in',
  closed: 'only people with an account can sign in; npm run account -- invite EMAIL creates one',
  invite: 'a new account needs an invitation from /admin or npm run account -- invite',
} satisfies Record<Env['REGISTRATION'], string>

/** visitors-1 */
export function checkVisitors({ visitors, VISITORS }: Env): Finding {
  const { ok, off } = findingsFor('Visitors')
  if (visitors) return ok('people without an account can hear and rate songs')
  const reason = VISITORS === 'off' ? 'VISITORS is off' : 'REGISTRATION is not open'
  return off(`${reason}: only people with an account can hear and rate songs`)
}

/** signin-20 */
export function checkPasskeys(env: Env): Finding {
  const { ok, off } = findingsFor('Passkeys')
  const { origin, rpId } = passkeySite(env)
  if (canHavePasskeys(passkeySite(env))) {
    return ok(
      `people can add passkeys in their profile; those belong to ${rpId}, and are lost with another host name`,
    )
  }
  return off(
    `browsers allow none at ${origin}: PUBLIC_URL must begin with https and have a host name, no IP address`,
  )
}

/** diagnostics-1 */
function checkDiagnostics({ production, DIAGNOSTIC_EMAILS }: Env): Finding {
  const { ok, off } = findingsFor('Diagnostics')
  if (!production) return ok('the pages are open to every listener, because this is development')
  if (DIAGNOSTIC_EMAILS.length > 0) return ok(`the pages are open to ${DIAGNOSTIC_EMAILS.join(', ')}`)
  return off('DIAGNOSTIC_EMAILS is not set: the pages are closed')
}

/** playback-60 */
function checkElsewhere({ HEAR_ELSEWHERE }: Env): Finding {
  const { ok, off } = findingsFor('Elsewhere')
  if (HEAR_ELSEWHERE.length > 0) return ok(`songs have links to ${HEAR_ELSEWHERE.join(', ')}`)
  return off('HEAR_ELSEWHERE is none: songs have no links to other services')
}

/** catalogue-16 */
function checkGrowth({ CATALOGUE_GROW, LISTENBRAINZ_TOKEN }: Env): Finding {
  const { ok, off } = findingsFor('Growth')
  if (!CATALOGUE_GROW) return off('CATALOGUE_GROW is not set: the server adds no songs by itself')
  const sources = LISTENBRAINZ_TOKEN
    ? 'MusicBrainz and ListenBrainz'
    : 'MusicBrainz only, because LISTENBRAINZ_TOKEN is not set'
  return ok(`the server adds songs where listeners run low, from ${sources}`)
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
  { name: 'oidc', part: 'OpenID', keys: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'] },
]

async function checkProvider(
  { name, part, keys }: Provider,
  env: Env,
  { signIn }: Services,
): Promise<Finding> {
  const { ok, off, fault } = findingsFor(part)
  const provider = signIn[name]
  if (!provider) {
    const missing = keys.filter((key) => !env[key])
    const report = missing.length < keys.length ? fault : off
    return report(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: not available`)
  }
  const reason = await provider.findFault()
  // The others have a default issuer.
  const advice = name === 'oidc' ? ': compare OIDC_* with what the provider shows' : ''
  if (reason) return fault(`failed the check (${reason})${advice}`)
  const groups = name === 'oidc' ? env.OIDC_ALLOWED_GROUPS.join(', ') : ''
  const limit = groups && `; open to members of ${groups} only`
  return ok(`answers, and accepts the keys${limit}`)
}

interface Disk {
  bavail: number
  blocks: number
  bsize: number
}

/** A warning begins at this many times the disk's reserve. Below the reserve, uploads are refused. */
const WARNING_FACTOR = 5

/** Checks the disk of DATA_DIR. The disk of a database elsewhere cannot be seen from here. */
export async function checkDisk(
  env: Env,
  read: (folder: string) => Promise<Disk> = statfs,
): Promise<Finding> {
  const { ok, warning, fault } = findingsFor('Disk')
  const folder = resolve(env.DATA_DIR)
  try {
    const disk = await read(folder)
    const free = disk.bavail * disk.bsize
    const reserve = reserveBytes(disk)
    const freeMessage = `${(free / 1024 ** 3).toFixed(1)} GiB are free at ${folder}`
    if (free < reserve) return fault(`${freeMessage}: uploads are refused, so make room`)
    if (free < WARNING_FACTOR * reserve)
      return warning(`${freeMessage}: make room before uploads are refused`)
    return ok(freeMessage)
  } catch (error) {
    return warning(`${folder} cannot be read (${reasonOf(error)})`)
  }
}
