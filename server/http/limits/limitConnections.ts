import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf, type TrustProxy, widerNetworksOf } from './networkOf.ts'

export interface ConnectionLimits {
  /** Concurrent connections. */
  max: number
  /** Concurrent connections of one network; an IPv6 /56 may have twice, a /48 three times as many. Those of a trusted proxy are not limited, because all listeners share them. */
  perNetwork: number
}

/** Files of Node and the server itself, such as the log, threads and the embedded database's control socket. */
const RESERVED_FILES = 60

/** More connections than this would not help, however many files are allowed. */
const MAX_CONNECTIONS = 10_000

/** Milliseconds between two warnings. */
const WARNING_INTERVAL = 60_000

/** Leaves files for the database, and for each connection one more file, such as a page or an upload. */
export function connectionLimits(databasePool: number, files = readOpenFileLimit()): ConnectionLimits {
  const available = Math.floor((files - RESERVED_FILES - 2 * databasePool) / 2)
  const max = Math.min(Math.max(available, 16), MAX_CONNECTIONS)
  return { max, perNetwork: Math.ceil(max / 4) }
}

/**
 * Rejects connections before the process runs out of files, and those of a network that has too many. Closes idle ones when
 * 90 percent are in use.
 */
export function limitConnections(
  { server, log }: FastifyInstance,
  { max, perNetwork }: ConnectionLimits,
  isProxy: TrustProxy,
): void {
  const open = new Set<Socket>()
  const networks = new Map<string, number>()
  const isTrusted = (address: string) => (typeof isProxy === 'boolean' ? isProxy : isProxy(address, 0))
  let warnedAt = Number.NEGATIVE_INFINITY
  const warn = (message: string) => {
    const now = performance.now()
    if (now - warnedAt < WARNING_INTERVAL) return
    warnedAt = now
    log.warn({ connections: open.size, most: max, perNetwork }, message)
  }

  server.maxConnections = max
  server.on('drop', () => warn('connections rejected: limit reached'))
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // claimUpgrades emits the socket of an ignored upgrade again.
    if (remoteAddress === undefined || open.has(socket)) return
    open.add(socket)
    const own = networkOf(remoteAddress)
    const shares = isTrusted(remoteAddress)
      ? []
      : [own, ...widerNetworksOf(own).map(({ network }) => network)]
    for (const network of shares) networks.set(network, (networks.get(network) ?? 0) + 1)
    socket.once('close', () => {
      open.delete(socket)
      for (const network of shares) {
        const remaining = (networks.get(network) ?? 0) - 1
        if (remaining > 0) networks.set(network, remaining)
        else networks.delete(network)
      }
    })
    if (shares.some((network, wider) => (networks.get(network) ?? 0) > perNetwork * (wider + 1))) {
      socket.destroy()
      warn('connections of one network rejected: limit reached (behind a proxy, set TRUST_PROXY)')
    } else if (open.size > max * 0.9) server.closeIdleConnections()
  })
}

/** The process's limit, which Node raises; outside of Linux a common minimum. */
function readOpenFileLimit(): number {
  try {
    const [, files] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return files === 'unlimited' ? Number.POSITIVE_INFINITY : Number(files ?? 1024)
  } catch {
    return 1024
  }
}
