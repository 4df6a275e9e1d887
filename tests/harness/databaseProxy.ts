import { connect, createServer, type Socket } from 'node:net'
import type { ConnectionTarget } from '../../server/db/connection.ts'
import { freePort } from './startProgram.ts'

export interface DatabaseProxy {
  /** The database's address behind this proxy. */
  target: string
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>
  /** Resets every connection in the middle of its work and accepts new ones, like a proxy that restarts. */
  reset(): void
  /** Resets the next new connection at its first statement. */
  resetNextAtFirstStatement(): void
  /** Accepts connections and passes nothing on, like a machine that hangs. */
  freeze(): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** A TCP proxy between server and database, for tests in which the database fails. */
export async function startDatabaseProxy(target: ConnectionTarget): Promise<DatabaseProxy> {
  const { host, port, database, username, password } = parseTarget(target)
  const sockets = new Set<Socket>()
  let frozen = false
  let resetNext = false
  const server = createServer((incoming) => {
    let bytesAllowed = Number.POSITIVE_INFINITY
    if (resetNext) {
      resetNext = false
      // Passes only the message that starts the session.
      bytesAllowed = 1
    }
    const outgoing = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (from === incoming && --bytesAllowed < 0) end(incoming)
        else if (!frozen) to.write(data)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const own = await freePort()
  await listen(own)

  async function cut() {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  return {
    target: `postgres://${encodeURIComponent(username)}:${encodeURIComponent(password)}@127.0.0.1:${own}/${database}?sslmode=disable`,
    cut,
    reset() {
      for (const socket of sockets) end(socket)
    },
    resetNextAtFirstStatement() {
      resetNext = true
    },
    freeze() {
      frozen = true
    },
    async restore() {
      // A machine that comes back does not know its old connections, and resets them.
      if (frozen) for (const socket of sockets) end(socket)
      frozen = false
      if (!server.listening) await listen(own)
    },
    close: async () => {
      if (server.listening) await cut()
    },
  }
}

/** A URL of the database, for a setting. */
export function urlOf(target: ConnectionTarget): string {
  const { host, port, database, username, password } = parseTarget(target)
  const url = new URL(`postgres://localhost/${database}`)
  const parameters = { host, port: String(port), user: username, password, sslmode: 'disable' }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** With a reset, which only TCP connections have. */
const end = (socket: Socket) => (socket.remotePort ? socket.resetAndDestroy() : socket.destroy())

export function parseTarget(target: ConnectionTarget) {
  if (typeof target === 'string') {
    const url = new URL(target)
    return {
      host: url.searchParams.get('host') ?? url.hostname,
      port: Number(url.port || 5432),
      database: url.pathname.slice(1),
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }
  }
  return {
    host: String(target.host),
    port: Number(target.port),
    database: String(target.database),
    username: String(target.username),
    password: typeof target.password === 'string' ? target.password : '',
  }
}
