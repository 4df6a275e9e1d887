import { Socket } from 'node:net'
import { Client } from 'pg'
import type { Host, Target } from './target.ts'

/** The servers to try, the one that worked last first. */
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

  /**
   * Goes on to the next server, unless another connection has already done so. The same server with or without TLS is next
   * only if TLS was the reason: a server that is down must not make connections go on without TLS.
   */
  skip(host: Host | undefined, error: unknown): void {
    if (!host || host !== this.current()) return
    const isOther = (next: Host | undefined) => next?.host !== host.host || next.port !== host.port
    const next = this.#hosts[this.#at + 1]
    if (next && !isOther(next) && isTlsError(error)) this.#at++
    else {
      const later = this.#hosts.findIndex((next, n) => n > this.#at && isOther(next))
      // The first server follows the last.
      this.#at = Math.max(0, later)
    }
  }
}

/** Whether the server has no TLS, the handshake failed, or it refused a session with TLS or without it. */
function isTlsError(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  return code === '28000' || /^(ERR_SSL|EPROTO)/.test(code) || /SSL connection/.test(message)
}

export interface ClientOptions {
  target: Target
  hosts: Hosts
  /** Settings of each session. */
  settings: Record<string, string>
  /** Milliseconds after which a connection is closed if the server does not respond; never by default. */
  responseTimeout?: number
  connectionTimeoutMillis: number
}

/** getStartupConf returns the parameters that pg sends at the start of a connection. pg's types lack it. */
const pgClient = Client.prototype as unknown as { getStartupConf(): Record<string, string> }

/** A connection of pg to the current one of several servers, with settings for its session. */
export class DatabaseClient extends Client {
  readonly #options: ClientOptions
  readonly #host: Host | undefined

  constructor(options: ClientOptions) {
    const { target, hosts, responseTimeout, connectionTimeoutMillis } = options
    const host = hosts.current()
    super({
      ...host,
      user: target.user,
      password: target.password,
      database: target.database,
      connectionTimeoutMillis,
      keepAlive: true,
      ...(responseTimeout === undefined ? {} : { stream: () => networkSocket(responseTimeout) }),
    })
    this.#options = options
    this.#host = host
    // A statement under way fails, too. Without a listener, the event would end the process.
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
      if (error) this.#options.hosts.skip(this.#host, error)
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
    const error = new Error(`The database is not ${role}.`)
    this.#options.hosts.skip(this.#host, error)
    throw error
  }
}

const CHECK_INTERVAL = 500

/**
 * A socket for a database on another machine. It closes when something was sent and nothing is received for
 * `responseTimeout` milliseconds. A machine that lost power or network sends nothing, and the operating system would
 * wait for a quarter of an hour.
 */
export function networkSocket(responseTimeout: number): Socket {
  const socket = new Socket()
  closeWhenSilent(socket, responseTimeout)
  return socket
}

/** Compares the counters of bytes, which also work under TLS. */
function closeWhenSilent(socket: Socket, responseTimeout: number): void {
  let read = socket.bytesRead
  let written = socket.bytesWritten
  let waitingSince: number | null = null
  const timer = setInterval(
    () => {
      if (socket.destroyed) return clearInterval(timer)
      if (socket.bytesRead !== read) waitingSince = null
      // If both changed, their order is unknown. At worst an idle connection is closed, which is replaced quickly.
      if (socket.bytesWritten !== written) waitingSince ??= Date.now()
      read = socket.bytesRead
      written = socket.bytesWritten
      if (waitingSince === null || Date.now() - waitingSince <= responseTimeout) return
      // setImmediate runs after sockets were read: if this process was paused, the response may have waited unread.
      // 'close' follows at once, before a statement can be written to this socket.
      setImmediate(() => {
        if (socket.bytesWritten === written && socket.bytesRead === read) socket.destroy()
      })
    },
    Math.min(CHECK_INTERVAL, responseTimeout / 2),
  )
  timer.unref()
}
