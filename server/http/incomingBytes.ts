import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from './HttpError.ts'

/** A body that is a file. */
export interface IncomingBytes {
  /**
   * The body as it arrives, once. An answer can be sent while bytes still come.
   * @throws HttpError 400 when the sender goes away, 408 when it is too slow; the signal's reason
   */
  read(signal?: AbortSignal): AsyncIterable<Buffer>
  /** As announced; null for a body in chunks. */
  length: number | null
}

/** Milliseconds without data after which the connection is closed (uploads-10). */
const IDLE = 5 * 60_000

/** A sender that is not silent brings at least so many bytes within so many milliseconds: 512 a second. */
export const LEAST_SPEED = { bytes: 30 * 1024, within: 60_000 }

/** Milliseconds that a sender who was refused may go on, so that it finishes and reads the answer. */
const DRAIN = 30_000

/** Sockets that receive files: they may be slower than other requests. */
const receiving = new WeakSet<Socket>()

export const isReceiving = (socket: Socket) => receiving.has(socket)

/** Leaves bodies in `scope` unparsed, and drains what was not read when the answer is sent. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.addHook('onRequest', async ({ raw }) => {
    receiving.add(raw.socket)
    raw.setTimeout(IDLE, () => raw.destroy())
  })
  scope.addHook('onResponse', async ({ raw }) => {
    receiving.delete(raw.socket)
    if (raw.complete || raw.destroyed) return
    raw.resume()
    const timer = setTimeout(() => raw.destroy(), DRAIN).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

/**
 * Before an answer that ends the connection while its request still arrives: the connection is closed towards the
 * sender alone, and what comes is thrown away. Closed at once, it would be reset, and the answer never read.
 */
export function closeGently({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), DRAIN).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

export function bytesOf({ raw }: FastifyRequest): IncomingBytes {
  const length = raw.headers['content-length']
  return {
    length: length === undefined ? null : Number(length),
    async *read(signal) {
      // Giving it up leaves the request itself whole: its answer is still to be sent.
      const stream = new PassThrough()
      const giveUp = (reason: unknown) => stream.destroy(reason as Error)
      const abort = () => giveUp(signal?.reason)
      const speed = watchSpeed(() => giveUp(tooSlow()))
      signal?.addEventListener('abort', abort, { once: true })
      raw.once('close', () => raw.complete || giveUp(notWhole()))
      if (signal?.aborted) abort()
      else if (raw.destroyed && !raw.complete) giveUp(notWhole())
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

/** A window begins with a byte: silence is `IDLE`'s. While the reader is busy the sender cannot be too slow. */
function watchSpeed(giveUp: () => void) {
  let bytes = 0
  let waiting = true
  let timer: NodeJS.Timeout | undefined
  const judge = () => {
    if (waiting && bytes < LEAST_SPEED.bytes) return giveUp()
    bytes = 0
    timer = undefined
  }
  return {
    arrived(more: number) {
      waiting = false
      bytes += more
      timer ??= setTimeout(judge, LEAST_SPEED.within).unref()
    },
    wait() {
      waiting = true
    },
    end: () => clearTimeout(timer),
  }
}

const tooSlow = () => new HttpError(408, 'The file arrives too slowly. Please try again.')

const notWhole = () => new HttpError(400, 'The file did not arrive whole.')
