import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ConnectionTarget } from '../../server/db/connection.ts'
import { parseTarget } from '../harness/databaseProxy.ts'

/** The self-signed certificate of this stand-in, for localhost and 127.0.0.1. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQ7IFF20xhTlJqjL4MHVxQvRJFrEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODA1MzIxMFoYDzIxMjYxMTA0
MDUzMjEwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS/z1mKVeKQI2re5RKXpKlk5NflZq4qgTJU8jvs/eD5Ry94K+yKNjVN
7rtit1ytzld25Bj8ptfPXYlOZDhuI6vXo28wbTAdBgNVHQ4EFgQU7gtzwHRLoTNq
hfCMWHm/fGa/MPUwHwYDVR0jBBgwFoAU7gtzwHRLoTNqhfCMWHm/fGa/MPUwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgeya7DEWZAC05J8GkALQEl5KfkG66b16pRREVZvMEo9ECIQDt
TqrcQoHq94rHF3Uxgki0FJ3d4RJE28niW3DgmkhvbQ==
-----END CERTIFICATE-----
`

const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghn0qrLWCagfW5b3s
8gLGfJaFnHoQ67kBqDgrC8wYeuKhRANCAAS/z1mKVeKQI2re5RKXpKlk5NflZq4q
gTJU8jvs/eD5Ry94K+yKNjVN7rtit1ytzld25Bj8ptfPXYlOZDhuI6vX
-----END PRIVATE KEY-----
`

/** The code that a client sends to ask for TLS, instead of a version of the protocol. */
const SSL_REQUEST = 80877103

/** PostgreSQL's answer to a session without TLS, where pg_hba.conf has only lines with `hostssl`. */
const REFUSAL = 'SFATAL\0VFATAL\0C28000\0Mno pg_hba.conf entry for host "127.0.0.1", no encryption\0\0'

/** The test database behind a server that demands TLS, or that has none. */
export async function startTlsDatabase(
  target: ConnectionTarget,
  { name = '127.0.0.1', offersTls = true } = {},
) {
  const { host, port, database, username, password } = parseTarget(target)
  const clients = new Set<Socket>()
  let encrypted = 0
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.once('data', (first: Buffer) => {
      client.pause()
      if (first.readInt32BE(4) !== SSL_REQUEST) return offersTls ? refuse(client) : pass(client, first)
      if (!offersTls) return client.end('N')
      encrypted++
      client.write('S')
      pass(new TLSSocket(client, { isServer: true, cert: CERTIFICATE, key: PRIVATE_KEY }))
    })
  })
  function pass(client: Socket, first?: Buffer) {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    if (first) upstream.write(first)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  }
  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, name === 'localhost' ? '127.0.0.1' : name, resolve))
  await listen(0)
  const { port: own } = server.address() as AddressInfo
  const credentials = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`
  return {
    address: `postgres://${credentials}@${name}:${own}/${database}`,
    /** Connections for which TLS was agreed on. */
    encrypted: () => encrypted,
    /** Closes every connection and refuses new ones. */
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const client of clients) client.destroy()
      await closed
    },
    restore: () => listen(own),
  }
}

function refuse(client: Socket) {
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(REFUSAL.length + 4, 1)
  client.end(Buffer.concat([head, Buffer.from(REFUSAL)]))
}
