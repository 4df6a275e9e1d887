import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from './HttpError.ts'

/** A body that is a file. */
export interface IncomingBytes {
  /**
   * Reads the body once, as it arrives. The response can be sent before all bytes have arrived.
   * @throws HttpError 400 when the sender disconnects, 408 when it is too slow; the signal's reason
   */
  read(signal?: AbortSignal): AsyncIterable<Buffer>
  /** From Content-Length; null for a chunked body. */
  length: number | null
}

/** Milliseconds without data after which the connection is closed (uploads-10). */
const IDLE_TIMEOUT = 5 * 60_000

/** The minimum speed of a sender that is not idle: bytes per milliseconds, 512 a second. */
export const MIN_SPEED = { bytes: 30 * 1024, within: 60_000 }

/** Milliseconds in which a rejected sender can finish and read the response. */
const DRAIN_TIMEOUT = 30_000

/** Sockets that receive files, which may be slower than other requests. */
const receiving = new WeakSet<Socket>()

export const isReceiving = (socket: Socket) => receiving.has(socket)

/** Leaves bodies in `scope` unparsed, and discards the rest of a body when the response was sent. */
export function disableBodyParsing(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.addHook('onRequest', async ({ raw }) => {
    receiving.add(raw.socket)
    raw.setTimeout(IDLE_TIMEOUT, () => raw.destroy())
  })
  scope.addHook('onResponse', async ({ raw }) => {
    receiving.delete(raw.socket)
    if (raw.complete || raw.destroyed) return
    raw.resume()
    const timer = setTimeout(() => raw.destroy(), DRAIN_TIMEOUT).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

/**
 * Closes only the sending side of a connection, and discards what still arrives. Use it for a response that closes the
 * connection during its request: if both sides closed, the connection would be reset and the response lost.
 */
export function closeGently({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), DRAIN_TIMEOUT).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

export function bytesOf({ raw }: FastifyRequest): IncomingBytes {
  const length = raw.headers['content-length']
  return {
    length: length === undefined ? null : Number(length),
    async *read(signal) {
      // Destroying this stream keeps the request open, because its response is still to be sent.
      const stream = new PassThrough()
      const giveUp = (reason: unknown) => stream.destroy(reason as Error)
      const abort = () => giveUp(signal?.reason)
      const speed = watchSpeed(() => giveUp(slowUpload()))
      signal?.addEventListener('abort', abort, { once: true })
      raw.once('close', () => raw.complete || giveUp(incompleteUpload()))
      if (signal?.aborted) abort()
      else if (raw.destroyed && !raw.complete) giveUp(incompleteUpload())
      else raw.pipe(stream)
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          speed.arrived(chunk.length)
          yield chunk
          speed.wait()
        }
      } finally {
        speed.end()
        signal?.removeEventListener('abort', abort)
        raw.unpipe(stream)
      }
    },
  }
}

/** Measures in windows that start with a byte, and only while the reader waits. An idle sender has IDLE_TIMEOUT. */
function watchSpeed(giveUp: () => void) {
  let bytes = 0
  let waiting = true
  let timer: NodeJS.Timeout | undefined
  const judge = () => {
    if (waiting && bytes < MIN_SPEED.bytes) return giveUp()
    bytes = 0
    timer = undefined
  }
  return {
    arrived(more: number) {
      waiting = false
      bytes += more
      timer ??= setTimeout(judge, MIN_SPEED.within).unref()
    },
    wait() {
      waiting = true
    },
    end: () => clearTimeout(timer),
  }
}

const slowUpload = () => new HttpError(408, 'The upload is too slow. Please try again.')

const incompleteUpload = () => new HttpError(400, 'The upload was incomplete.')
