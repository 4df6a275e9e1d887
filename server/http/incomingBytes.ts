import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A body that is a file. */
export interface IncomingBytes {
  /** Read it with `stream.iterator({ destroyOnReturn: false })`: an answer can be sent while bytes still come. */
  stream: Readable
  /** As announced; null for a body in chunks. */
  length: number | null
}

/** Milliseconds of silence after which a sender is given up (spec §9: socket idle timeout). */
const IDLE = 5 * 60_000

/** Milliseconds that a sender who was refused may go on, so that it finishes and reads the answer. */
const DRAIN = 30_000

/** The sockets that files are arriving at: a slow sender may take longer than other requests. */
const receiving = new WeakSet<Socket>()

export const isReceiving = (socket: Socket) => receiving.has(socket)

/** Leaves bodies as they are, in `scope` alone, and takes up what was not read when the answer is sent. */
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

export function bytesOf({ raw }: FastifyRequest): IncomingBytes {
  const length = raw.headers['content-length']
  return { stream: raw, length: length === undefined ? null : Number(length) }
}
