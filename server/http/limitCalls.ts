import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CallCounts } from './CallCounts.ts'
import { HttpError } from './HttpError.ts'
import { networkOf } from './networkOf.ts'

export interface CallLimit {
  /** The request came from a listener after all: what it was counted as a stranger for is taken back. */
  recognise(request: FastifyRequest): void
}

/**
 * Counts calls a minute, in this process: for the listener whom `findListener` knows without asking anybody, else
 * for the network. A cookie that somebody made up is nobody, so making up many wins nothing; and many listeners of
 * one network do not use it up when they come for the first time. Nothing is limited yet: that is what
 * `app.rateLimit()` is for.
 */
export async function limitCalls(
  app: FastifyInstance,
  max: number,
  findListener: (request: FastifyRequest) => string | null,
): Promise<CallLimit> {
  const counts = new CallCounts()
  const strangers = new WeakSet<FastifyRequest>()
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: '1 minute',
    store: class {
      incr = counts.incr.bind(counts)
      child = () => counts
    },
    keyGenerator(request) {
      const listener = findListener(request)
      if (listener !== null) return `listener ${listener}`
      strangers.add(request)
      return networkOf(request.ip)
    },
    errorResponseBuilder: (_, { ttl }) =>
      new HttpError(429, 'Too many requests. Please wait a moment.', { retryAfter: Math.ceil(ttl / 1000) }),
  })
  return {
    recognise(request) {
      if (strangers.delete(request)) counts.giveBack(networkOf(request.ip))
    },
  }
}
