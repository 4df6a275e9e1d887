/** How to reach PostgreSQL: a URL, or the address of the embedded server. */
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
  ssl: false | { rejectUnauthorized: boolean }
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

/** Parameters of libpq that are no settings of the session and are ignored here. */
const WITHOUT_MEANING = ['connect_timeout', 'channel_binding', 'gssencmode', 'sslnegotiation', 'sslrootcert']

/**
 * Reads a URL in libpq's syntax: several hosts with commas between, `host` and `port` for a unix socket, `sslmode`,
 * `target_session_attrs`. All other parameters are settings of the session.
 * @throws Error without any part of the URL, which may contain a password.
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
  const [{ username, password, pathname, searchParams }] = addresses as [URL]
  const {
    sslmode,
    ssl,
    host,
    port,
    target_session_attrs: role = 'any',
    ...rest
  } = Object.fromEntries(searchParams)
  for (const name of WITHOUT_MEANING) delete rest[name]
  if (!isRole(role)) throw new Error(`target_session_attrs must be one of ${ROLES.join(', ')}.`)
  return {
    hosts: addresses.flatMap((address) =>
      encryptionOf(sslmode ?? ssl).map((encryption) => ({
        host: host ?? decodeURIComponent(address.hostname).replace(/^\[|\]$/g, ''),
        port: Number(address.port || port) || undefined,
        ssl: encryption,
      })),
    ),
    role,
    user: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: decodeURIComponent(pathname.slice(1)) || undefined,
    settings: rest,
  }
}

function readAddress(address: string): URL {
  try {
    return new URL(address)
  } catch {
    throw new Error('The database address is invalid.')
  }
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)

/** As in libpq, only verify-ca and verify-full check the certificate, and `prefer` falls back to no encryption. */
function encryptionOf(mode = 'disable'): Host['ssl'][] {
  if (mode === 'disable' || mode === 'false') return [false]
  if (mode === 'prefer') return [{ rejectUnauthorized: false }, false]
  return [{ rejectUnauthorized: mode !== 'require' && mode !== 'allow' }]
}
