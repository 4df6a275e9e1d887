import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { ConnectionOptions } from 'node:tls'

/** Where PostgreSQL is: a URL, or the address of the embedded server. */
export type ConnectionTarget = string | ServerAddress

export interface ServerAddress {
  /** A name, an address, or the folder of a unix socket. */
  host: string
  port: number
  database: string
  username: string
  password?: string
}

/** A server to try, and whether to encrypt the connection. */
export interface Host {
  host: string
  port?: number
  ssl: false | ConnectionOptions
}

export interface Target {
  /** Tried in turn until one accepts a connection and has the required role. */
  hosts: Host[]
  role: Role
  database?: string
  user?: string
  password?: string
  /** Settings of the session, such as `search_path`. */
  settings: Record<string, string>
}

const ROLES = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const

/** The role that the server must have (libpq's target_session_attrs). */
export type Role = (typeof ROLES)[number]

/** Parameters of libpq that are ignored here, because they are no settings of the session. */
const IGNORED_PARAMETERS = [
  'connect_timeout',
  'channel_binding',
  'gssencmode',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'load_balance_hosts',
  'sslcompression',
  'sslnegotiation',
  'sslsni',
  'tcp_user_timeout',
]

/**
 * Parses a URL in libpq's syntax: several hosts separated by commas, `host` and `port` for a unix socket, `sslmode` and the
 * files of TLS, `target_session_attrs`. All other parameters are settings of the session.
 * @throws Error, whose message has no part of the URL, because that might be a password.
 */
export function readTarget(target: ConnectionTarget): Target {
  if (typeof target !== 'string') {
    const { host, port, database, username, password } = target
    return {
      hosts: [{ host, port, ssl: false }],
      role: 'any',
      database,
      user: username,
      password,
      settings: {},
    }
  }
  const [, before = '', list = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(target) ?? []
  // A URL with a user must have a host.
  const addresses = list.split(',').map((host) => readAddress(`${before}${host || 'localhost'}${after}`))
  const [url] = addresses as [URL]
  const {
    sslmode,
    ssl,
    sslrootcert,
    sslcert,
    sslkey,
    sslpassword,
    host,
    port,
    user,
    password,
    dbname,
    target_session_attrs: role = 'any',
    ...settings
  } = Object.fromEntries(url.searchParams)
  for (const name of IGNORED_PARAMETERS) delete settings[name]
  if (!isRole(role)) throw new Error(`target_session_attrs must be one of ${ROLES.join(', ')}`)
  const encryptions = tlsOptionsFor(sslmode ?? SSL_ALIASES[ssl ?? ''] ?? ssl, {
    root: sslrootcert,
    cert: sslcert,
    key: sslkey,
    passphrase: sslpassword,
  })
  return {
    hosts: addresses.flatMap((address) => {
      const name = host ?? decodeURIComponent(address.hostname).replace(/^\[|\]$/g, '')
      const at = { host: name, port: Number(address.port || port) || undefined }
      // Nobody can eavesdrop on a unix socket, and servers refuse TLS on it.
      return (name.startsWith('/') ? [false as const] : encryptions).map((ssl) => ({ ...at, ssl }))
    }),
    role,
    user: decodeURIComponent(url.username) || user,
    password: decodeURIComponent(url.password) || password,
    database: decodeURIComponent(url.pathname.slice(1)) || dbname,
    settings,
  }
}

/** How to escape what a URL cannot contain. */
export const ESCAPING_HINT =
  'in user and password write %25 for %, %2F for /, %3F for ?, %23 for # and %40 for @, and an IPv6 address in brackets'

/**
 * Parses a URL and rejects what an unescaped character of a password makes of it: the rest of the password would be read as
 * the host, the path or the query.
 */
export function readAddress(address: string): URL {
  try {
    const url = new URL(address)
    const isWhole =
      !url.hash &&
      !/[/@]/.test(url.pathname.slice(1)) &&
      [...url.searchParams.keys()].every((name) => /^[\w.]+$/.test(name))
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part)
    if (isWhole) return url
  } catch {}
  throw new Error(`is invalid: ${ESCAPING_HINT}`)
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Modes as other clients write them. */
const SSL_ALIASES: Partial<Record<string, string>> = {
  true: 'require',
  false: 'disable',
  1: 'require',
  0: 'disable',
}

interface TlsFiles {
  root: string | undefined
  cert: string | undefined
  key: string | undefined
  passphrase: string | undefined
}

/**
 * As in libpq: without a mode TLS is tried first, a certificate is checked if its authority is given, and only
 * verify-full checks the name in it. Without a file, verify-ca and verify-full trust the authorities of Node.
 */
function tlsOptionsFor(requested: string | undefined, files: TlsFiles): Host['ssl'][] {
  const isSystem = files.root === 'system'
  const mode = requested === 'no-verify' ? 'require' : (requested ?? (isSystem ? 'verify-full' : 'prefer'))
  if (!SSL_MODES.includes(mode)) throw new Error(`sslmode must be one of ${SSL_MODES.join(', ')}`)
  if (mode === 'disable') return [false]
  if (isSystem && mode !== 'verify-full') throw new Error('sslrootcert=system needs sslmode=verify-full')
  const defaultRoot = path.join(homedir(), '.postgresql', 'root.crt')
  const root = isSystem ? undefined : (files.root ?? (existsSync(defaultRoot) ? defaultRoot : undefined))
  const tls: ConnectionOptions = {
    rejectUnauthorized: root !== undefined || mode.startsWith('verify'),
    ...(root === undefined ? {} : { ca: read('sslrootcert', root) }),
    ...(files.cert === undefined ? {} : { cert: read('sslcert', files.cert) }),
    ...(files.key === undefined ? {} : { key: read('sslkey', files.key) }),
    ...(files.passphrase === undefined ? {} : { passphrase: files.passphrase }),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
  if (mode === 'allow') return [false, tls]
  return mode === 'prefer' ? [tls, false] : [tls]
}

function read(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${parameter}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
