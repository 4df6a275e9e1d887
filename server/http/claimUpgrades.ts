import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

type OwnsUpgrade = (request: IncomingMessage) => boolean

const handlersByServer = new WeakMap<Server, OwnsUpgrade[]>()

/**
 * Registers upgrades that another listener of `server` handles. As soon as there is a listener, Node passes every request
 * with an Upgrade header to it, such as curl's offer of HTTP/2. Those that nobody handles are answered as if they had no
 * such header (RFC 9110 §7.8).
 */
export function claimUpgrades(server: Server, isOwn: OwnsUpgrade): void {
  const existing = handlersByServer.get(server)
  if (existing) {
    existing.push(isOwn)
    return
  }
  const handlers = [isOwn]
  handlersByServer.set(server, handlers)
  server.on('upgrade', (request, socket, head) => {
    // Node has removed its own listener, and an unhandled error would crash the process.
    socket.on('error', () => {})
    if (handlers.some((owns) => owns(request))) return
    // It was sent before the previous response, for which an upgrade must wait.
    if ('_httpMessage' in socket && socket._httpMessage) socket.destroy()
    else answerWithoutUpgrade(server, request, socket, head)
  })
}

/** Feeds the request to the server again, without the headers of the upgrade. */
function answerWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const remaining = name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value
    if (remaining !== '' && !UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${remaining}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings'])

const withoutUpgrade = (connection: string) =>
  connection
    .split(',')
    .filter((option) => !UPGRADE_HEADERS.has(option.trim().toLowerCase()))
    .join(',')
    .trim()
