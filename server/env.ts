import { availableParallelism } from 'node:os'
import { closestMatch } from 'leven'
import type { z } from 'zod'
import { RemoteProvider } from '../contract/uploads.ts'
import { validationMessages } from './inputErrors.ts'
import { isLoopbackHost, Settings } from './settings.ts'

/** The validated environment, created by `readEnv`. */
export type Env = Omit<z.infer<typeof Settings>, 'PROCESSES'> & {
  PROCESSES: number
  production: boolean
  /** PUBLIC_URL without a slash at its end. */
  publicUrl: string
  /** The path of PUBLIC_URL, such as `/music`; empty without one. */
  basePath: string
  /** A sentence for each variable that looks like a misspelt one of ours. */
  misspelt: string[]
  /** Whether HOST and PUBLIC_URL are both loopback. */
  loopbackOnly: boolean
  /** Whether people without an account can hear and rate (visitors-1). */
  visitors: boolean
  /** The origin to which browsers upload, if files are in a bucket. */
  bucketOrigin: string | null
  /** Remote providers whose keys are set. */
  remoteProviders: Partial<Record<RemoteProvider, { key: string; secret: string }>>
  /** The address of the Companion process, if there is one. */
  companionUrl: string | null
}

/** The environment is invalid. The message names each variable and what to do. */
export class BadEnvironment extends Error {}

/**
 * Reads and validates the environment. Every variable has a working default in development.
 * @throws BadEnvironment for an invalid value, in production without PUBLIC_URL or SESSION_SECRET, and outside
 * production with an address that is not loopback (signin-10).
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const variables = cleanEnvironment(source)
  const parsed = Settings.safeParse(variables, { error: validationMessages })
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new BadEnvironment(`The configuration is invalid.\n  ${lines.join('\n  ')}`)
  }
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, '')
  const loopbackOnly = isLoopbackHost(settings.HOST) && isLoopbackHost(new URL(publicUrl).hostname)
  // Half a provider would fail only when somebody signs in.
  if (OIDC_VARIABLES.some((key) => variables[key]))
    requireAll(variables, ['OIDC_ISSUER', 'OIDC_CLIENT_ID'], 'The OpenID provider')
  if (production) requireAll(settings, ['PUBLIC_URL', 'SESSION_SECRET'], 'NODE_ENV=production')
  else if (!loopbackOnly) {
    throw new BadEnvironment(
      'Other machines can reach HOST or PUBLIC_URL, but development mode gives sign-in links to anybody. ' +
        'Set NODE_ENV=production, or keep both on loopback.',
    )
  }
  return {
    ...settings,
    production,
    publicUrl,
    basePath: new URL(publicUrl).pathname.replace(/^\/$/, ''),
    loopbackOnly,
    PROCESSES: settings.PROCESSES ?? (production ? defaultProcesses() : 1),
    visitors: settings.VISITORS === 'on' && settings.REGISTRATION === 'open',
    bucketOrigin: bucketOrigin(settings),
    ...remoteProviders(settings),
    misspelt: findMisspelt(variables),
  }
}

/** Letters by which a misspelt name may differ. Short names differ little anyway, so they are not compared. */
const MAX_TYPOS = 2
const MIN_NAME_LENGTH = 8

function findMisspelt(source: Record<string, string | undefined>): string[] {
  const names = Object.keys(Settings.shape)
  const unset = names.filter((name) => !source[name])
  return Object.keys(source).flatMap((name) => {
    if (name.length < MIN_NAME_LENGTH || names.includes(name)) return []
    const meant = closestMatch(name, unset, { maxDistance: MAX_TYPOS })
    return meant ? [`${name} is not read: did you mean ${meant}?`] : []
  })
}

const OIDC_VARIABLES = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_ALLOWED_GROUPS',
]

/** What variables that can be required must contain. */
const REQUIRED_VARIABLES = {
  PUBLIC_URL: 'the public address of the service, such as https://bangers.example.',
  SESSION_SECRET: 'at least 32 random characters, for example from `openssl rand -hex 32`.',
  OIDC_ISSUER: 'the address of the provider, such as https://id.example.',
  OIDC_CLIENT_ID: 'the id of this service at the provider.',
}

function requireAll(variables: object, keys: (keyof typeof REQUIRED_VARIABLES)[], what: string): void {
  const missing = keys.filter((key) => !variables[key as keyof object])
  if (missing.length === 0) return
  const lines = missing.map((key) => `${key} is missing: ${REQUIRED_VARIABLES[key]}`)
  throw new BadEnvironment(`${what} needs more configuration.\n  ${lines.join('\n  ')}`)
}

/** One for every two cores, because the database needs as many as the server. */
const defaultProcesses = () => Math.max(1, Math.min(8, Math.floor(availableParallelism() / 2)))

/** Path style has the bucket after the host; otherwise it is a subdomain. */
function bucketOrigin(settings: z.infer<typeof Settings>): string | null {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_FORCE_PATH_STYLE } = settings
  if (!S3_BUCKET) return null
  const { protocol, host } = new URL(S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`)
  return `${protocol}//${S3_FORCE_PATH_STYLE ? '' : `${S3_BUCKET}.`}${host}`
}

/** The variables that hold a provider's key and secret. */
export function keyNames(provider: RemoteProvider) {
  const prefix = provider === 'drive' ? 'GOOGLE' : (provider.toUpperCase() as Uppercase<typeof provider>)
  return { key: `COMPANION_${prefix}_KEY`, secret: `COMPANION_${prefix}_SECRET` } as const
}

function remoteProviders(settings: z.infer<typeof Settings>): Pick<Env, 'remoteProviders' | 'companionUrl'> {
  const configured = RemoteProvider.options.flatMap((name) => {
    const names = keyNames(name)
    const key = settings[names.key]
    return key ? [[name, { key, secret: settings[names.secret] ?? '' }] as const] : []
  })
  const defaultUrl = configured.length > 0 ? `http://127.0.0.1:${settings.COMPANION_PORT}` : null
  return {
    remoteProviders: Object.fromEntries(configured),
    companionUrl: settings.COMPANION_URL ?? defaultUrl,
  }
}

/**
 * Removes what tools leave around names and values (byte order marks, carriage returns of Windows, quotes that
 * `docker --env-file` keeps), empty variables, and those that other programs set under names of ours.
 */
function cleanEnvironment(source: Record<string, string | undefined>): Record<string, string> {
  const trimmed = Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name.trim(), withoutQuotes(value?.trim() ?? '')]),
  )
  return Object.fromEntries(
    Object.entries(trimmed).filter(
      ([name, value]) =>
        value !== '' &&
        // Kubernetes and Docker set it for a service that is named `companion` or `database`.
        !(name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value)) &&
        // conda sets it to the platform of its compilers.
        !(name === 'HOST' && value === trimmed.CONDA_TOOLCHAIN_HOST),
    ),
  )
}

/** A value with quotes inside keeps all, such as `"Ada" or "Grace"`. */
const withoutQuotes = (value: string) => value.replace(/^(["'])((?:(?!\1).)*)\1$/s, '$2')
