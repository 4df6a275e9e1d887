import { isIP } from 'node:net'
import { z } from 'zod'
import { ELSEWHERE_SERVICES, isElsewhereService } from '../contract/elsewhereLinks.ts'
import { Email } from '../contract/email.ts'
import { ESCAPING_HINT, readAddress, readTarget } from './db/target.ts'
import { parseTrustProxy } from './http/limits/networkOf.ts'

const baseAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''))

const address = (fallback: string) => baseAddress.default(fallback)

const host = z
  .string()
  .transform((name) => name.replace(/^\[(.*)\]$/, '$1'))
  .refine(
    (name) => isIP(name) > 0 || /^[a-z\d][a-z\d._-]*$/i.test(name),
    'must be an address or name of this machine alone, such as 127.0.0.1, or 0.0.0.0 for all of its addresses',
  )

/**
 * Where people reach the service, as browsers write it: the host in lower case and ASCII, without a default port. The path
 * becomes part of addresses, cookies and patterns, so it may have only characters without a meaning there.
 */
const publicAddress = z
  .url({
    protocol: /^https?$/,
    error: 'must be an http or https address, such as https://bangers.example or http://[::1]:3000',
  })
  .refine((url) => !/[?#]/.test(url), 'must not contain ? or #')
  .refine((url) => !/^\w+:\/\/[^/]*@/.test(url), 'must not contain a user name or a password')
  .refine(
    (url) => !URL.canParse(url) || /^\w+:\/\/[^/\\]+(\/[\w~-][\w.~-]*)*\/*$/.test(url.replace(/[?#].*/, '')),
    'may have a path of letters a to z, digits and - . _ ~, such as https://example.org/music',
  )
  .transform((url) => new URL(url).href.replace(/\/+$/, ''))

const folder = z
  .string()
  .refine((path) => !/^~|\$\{?\w/.test(path), 'must be a path without ~ and $, which only a shell replaces')

const trustProxy = z.string().refine((setting) => {
  try {
    parseTrustProxy(setting)
    return true
  } catch {
    return false
  }
}, 'must be true, the number of proxies, or their IP addresses or networks, separated by commas')

/** No URL, because it may name several hosts (`postgres://a:5432,b:5432/name`). */
const databaseAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must be a postgres:// address', abort: true })
  .superRefine((address, { addIssue }) => {
    try {
      readTarget(address)
    } catch (error) {
      addIssue((error as Error).message)
    }
  })
  .optional()

const mailServer = z.string().refine((address) => {
  try {
    return /^smtps?:\/\/./.test(address) && readAddress(address).hostname !== ''
  } catch {
    return false
  }
}, `must be an smtp:// or smtps:// address; ${ESCAPING_HINT}`)

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))

const emails = list.transform((names, { issues }) =>
  names.flatMap((name) => {
    const { data } = z.safeParse(Email, name)
    if (data === undefined)
      issues.push({
        code: 'custom',
        input: name,
        message: 'must be e-mail addresses without names, separated by spaces',
      })
    return data ?? []
  }),
)

/** Part of the Content-Security-Policy. */
const hosts = (pattern: RegExp, ...defaults: string[]) =>
  list
    .refine(
      (names) => names.every((name) => pattern.test(name)),
      `must be hosts, such as ${defaults.join(' ')}`,
    )
    .transform((names) => (names.length > 0 ? names : defaults))

/** The server calls them, too: https, or http on this machine. */
const AUDIO_HOST = /^https:\/\/(\*\.)?[\w-]+(\.[\w-]+)+(:\d+)?$|^http:\/\/(127\.0\.0\.1|localhost):\d+$/

/** Each once, in the order of the setting; `none` for none (playback-60). */
const hearElsewhere = list
  .transform((names) => (names.length > 0 ? [...new Set(names)] : [...ELSEWHERE_SERVICES]))
  .transform((names) => (names.join() === 'none' ? [] : names))
  .refine(
    (names) => names.every(isElsewhereService),
    `must be none, or a list of ${ELSEWHERE_SERVICES.join(', ')}`,
  )

/** Whether a host name or address, with or without brackets, is loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  )
}

/** Over http anybody between could sign in as anybody. */
const isPrivateIssuer = (url: string) =>
  !URL.canParse(url) || new URL(url).protocol === 'https:' || isLoopbackHost(new URL(url).hostname)

const PRIVATE_ISSUER = 'must be an https address, except on this machine'

/** Kept unchanged, because it must equal the provider's issuer, which may end with a slash. */
const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => !/[?#]|\/\.well-known\//.test(url), 'must not contain /.well-known/, ? or #')
  .refine(isPrivateIssuer, PRIVATE_ISSUER)

const scopes = list
  .transform((names) => (names.length > 0 ? names : ['openid', 'email', 'profile']))
  .refine((names) => names.includes('openid'), 'must contain openid')

/** Names may contain spaces. A setting of commas only must not admit everybody. */
const groups = z
  .string()
  .transform((text) =>
    text
      .split(/[,;]/)
      .map((name) => name.trim())
      .filter(Boolean),
  )
  .refine((names) => names.length > 0, 'must be names of groups, separated by commas')
  .default([])

/** `9.9.9.9`, `127.0.0.1:5353`, `[::1]:5353`: as a resolver of `node:dns` accepts. */
const dnsServers = list.refine(
  (servers) =>
    servers.every((server) => isIP(server.replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')) > 0),
  'must be IP addresses, such as 9.9.9.9 or 127.0.0.1:5353',
)

/** What the environment may contain. Every variable has a default that works in development. */
export const Settings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: host.default('127.0.0.1'),
  PUBLIC_URL: publicAddress.optional(),
  DATA_DIR: folder.default('./data'),
  DATABASE_URL: databaseAddress,
  DATABASE_READ_URL: databaseAddress,
  DATABASE_DIRECT_URL: databaseAddress,
  DATABASE_PREPARE: z.stringbool({ error: 'must be true or false' }).default(true),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  BACKUP_DIR: folder.optional(),
  BACKUP_EVERY: z.coerce.number().int().min(1).max(168).default(24),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(14),
  SESSION_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  TRUST_PROXY: trustProxy.optional(),
  PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  HSTS_SUBDOMAINS: z.stringbool({ error: 'must be true or false' }).default(false),
  METRICS_TOKEN: z.string().min(16, 'must have 16 characters or more').optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),

  SMTP_URL: mailServer.optional(),
  MAIL_FROM: z.string().default('Banger or Bust <no-reply@localhost>'),
  DNS_SERVERS: dnsServers,
  CONTACT_EMAIL: z.optional(Email),
  OPERATOR_NAME: z.string().trim().max(200, 'must have at most 200 characters').optional(),

  UPLOAD_MAX_BYTES: z.coerce.number().int().min(5_242_880).default(262_144_000),
  UPLOAD_QUOTA_BYTES: z.coerce.number().int().min(5_242_880).default(314_572_800),

  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: z.stringbool({ error: 'must be true or false' }).default(false),

  COMPANION_URL: baseAddress.optional(),
  COMPANION_PORT: z.coerce.number().int().min(0).max(65535).default(3020),
  COMPANION_BOX_KEY: z.string().optional(),
  COMPANION_BOX_SECRET: z.string().optional(),
  COMPANION_DROPBOX_KEY: z.string().optional(),
  COMPANION_DROPBOX_SECRET: z.string().optional(),
  COMPANION_GOOGLE_KEY: z.string().optional(),
  COMPANION_GOOGLE_SECRET: z.string().optional(),
  COMPANION_FACEBOOK_KEY: z.string().optional(),
  COMPANION_FACEBOOK_SECRET: z.string().optional(),
  COMPANION_UNSPLASH_KEY: z.string().optional(),
  COMPANION_UNSPLASH_SECRET: z.string().optional(),

  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  FACEBOOK_CLIENT_ID: z.string().optional(),
  FACEBOOK_CLIENT_SECRET: z.string().optional(),
  REPLIT_CLIENT_ID: z.string().optional(),
  GOOGLE_ISSUER: address('https://accounts.google.com').refine(isPrivateIssuer, PRIVATE_ISSUER),
  REPLIT_ISSUER: address('https://replit.com/oidc').refine(isPrivateIssuer, PRIVATE_ISSUER),
  FACEBOOK_DIALOG_URL: address('https://www.facebook.com'),
  FACEBOOK_GRAPH_URL: address('https://graph.facebook.com'),
  REGISTRATION: z.enum(['open', 'closed', 'invite']).default('open'),
  VISITORS: z.enum(['on', 'off']).default('on'),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().min(1).max(40).default('OpenID'),
  OIDC_SCOPES: scopes,
  OIDC_ALLOWED_GROUPS: groups,

  DIAGNOSTIC_EMAILS: emails,

  HEAR_ELSEWHERE: hearElsewhere,

  CATALOGUE_GROW: z.stringbool({ error: 'must be true or false' }).default(false),
  CATALOGUE_VERIFY: z.stringbool({ error: 'must be true or false' }).default(true),
  DEEZER_URL: address('https://api.deezer.com'),
  LISTENBRAINZ_URL: address('https://api.listenbrainz.org'),
  LISTENBRAINZ_TOKEN: z.string().optional(),
  MUSICBRAINZ_URL: address('https://musicbrainz.org'),
  WIKIDATA_URL: address('https://query.wikidata.org'),
  DISCOGS_URL: address('https://api.discogs.com'),
  DISCOGS_TOKEN: z.string().optional(),
  COVERART_URL: address('https://coverartarchive.org'),
  PREVIEW_HOSTS: hosts(/^(https?:\/\/)?[\w.*-]+(:[\d*]+)?(\/[\w./-]*)?$/, 'https://*.dzcdn.net'),
  AUDIO_HOSTS: hosts(AUDIO_HOST, 'https://archive.org', 'https://*.archive.org'),
  ARCHIVE_URL: address('https://archive.org'),
  SPOTIFY_CLIENT_ID: z.string().optional(),
  SPOTIFY_CLIENT_SECRET: z.string().optional(),
  SPOTIFY_ACCOUNTS_URL: address('https://accounts.spotify.com'),
  SPOTIFY_API_URL: address('https://api.spotify.com'),
  YOUTUBE_API_KEY: z.string().optional(),
  YOUTUBE_API_URL: address('https://www.googleapis.com/youtube/v3'),
  YOUTUBE_OEMBED_URL: address('https://www.youtube.com/oembed'),
  YOUTUBE_PLAYER_URL: address('https://www.youtube.com'),
  YOUTUBE_NOCOOKIE_URL: address('https://www.youtube-nocookie.com'),
  YOUTUBE_IMAGE_URL: address('https://i.ytimg.com'),
})
