import { connect, createServer, type Socket } from 'node:net'
import type { ConnectionTarget } from '../../server/db/connection.ts'
import { freePort } from './freePort.ts'

export interface Line {
  /** The database, reached through this line. */
  target: string
  /** Ends every connection and takes no new one. */
  cut(): Promise<void>
  /** Takes connections and says nothing, like a machine that hangs. */
  freeze(): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** A line between the server and its database, for tests that take the database away. */
export async function layLine(target: ConnectionTarget): Promise<Line> {
  const { host, port, database, username, password } = readTarget(target)
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((incoming) => {
    const outgoing = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (!frozen) to.write(data)
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
    target: `postgres://${encodeURIComponent(username)}:${encodeURIComponent(password)}@127.0.0.1:${own}/${database}`,
    cut,
    freeze() {
      frozen = true
    },
    async restore() {
      // A machine that comes back knows nothing of the connections that it had, and says so.
      if (frozen) for (const socket of sockets) end(socket)
      frozen = false
      if (!server.listening) await listen(own)
    },
    close: async () => {
      if (server.listening) await cut()
    },
  }
}

/** With a reset, which only a connection over the network has. */
const end = (socket: Socket) => (socket.remotePort ? socket.resetAndDestroy() : socket.destroy())

function readTarget(target: ConnectionTarget) {
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
