import { Client } from 'pg'
import { networkSocket } from './networkSocket.ts'
import type { Host, Target } from './target.ts'

/** The servers to try, and which one to try first: the last that worked. */
export class Hosts {
  readonly #hosts: Host[]
  #at = 0

  constructor(hosts: Host[]) {
    this.#hosts = hosts
  }

  get count(): number {
    return this.#hosts.length
  }

  current(): Host | undefined {
    return this.#hosts[this.#at]
  }

  /** Goes on to the next one, unless another connection has done so already. */
  leave(host: Host | undefined): void {
    if (host === this.current()) this.#at = (this.#at + 1) % this.#hosts.length
  }
}

export interface ClientOptions {
  target: Target
  hosts: Hosts
  /** Settings of each session. */
  settings: Record<string, string>
  /** Milliseconds after which a connection is closed whose server does not respond. Without it, never. */
  silence?: number
  connectionTimeoutMillis: number
}

/** The parameters that pg sends at the start of a connection. Its types lack the method. */
const pgClient = Client.prototype as unknown as { getStartupConf(): Record<string, string> }

/** A connection of pg to the current one of several servers, with settings for its session. */
export class DatabaseClient extends Client {
  readonly #options: ClientOptions
  readonly #host: Host | undefined

  constructor(options: ClientOptions) {
    const { target, hosts, silence, connectionTimeoutMillis } = options
    const host = hosts.current()
    super({
      ...host,
      user: target.user,
      password: target.password,
      database: target.database,
      connectionTimeoutMillis,
      keepAlive: true,
      ...(silence === undefined ? {} : { stream: () => networkSocket(silence) }),
    })
    this.#options = options
    this.#host = host
    // A statement under way fails as well. Without a listener, the event would end the process.
    this.on('error', () => {})
  }

  getStartupConf(): Record<string, string> {
    const { settings, target } = this.#options
    return { ...pgClient.getStartupConf.call(this), ...settings, ...target.settings }
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void) {
    if (!callback) return super.connect()
    super.connect((error: Error) => {
      if (error) this.#options.hosts.leave(this.#host)
      callback(error)
    })
  }

  /** @throws Error when the server does not have the required role. */
  async requireRole(): Promise<void> {
    const { role } = this.#options.target
    if (role === 'any') return
    const { rows } = await this.query<{ replica: boolean; readonly: string }>(
      `select pg_is_in_recovery() as replica, current_setting('transaction_read_only') as readonly`,
    )
    const [{ replica, readonly } = { replica: true, readonly: 'on' }] = rows
    const has = {
      primary: !replica,
      standby: replica,
      'read-write': readonly === 'off',
      'read-only': readonly === 'on',
    }
    if (has[role]) return
    this.#options.hosts.leave(this.#host)
    throw new Error(`The database is not ${role}.`)
  }
}
