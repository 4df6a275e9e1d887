import type { Socket } from 'node:net'
import { isReceiving } from './incomingBytes.ts'

/** Answers requests that Node could not parse, as JSON like everywhere. Uploads have more time. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReceiving(socket)) return
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = RESPONSES[error.code ?? ''] ?? ['400 Bad Request', 'The request cannot be read.']
  const body = JSON.stringify({ message })
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

const RESPONSES: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
}
