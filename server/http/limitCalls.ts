import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CallCounts } from './CallCounts.ts'
import { HttpError } from './HttpError.ts'
import { networkOf } from './networkOf.ts'

/** Calls per minute of one listener, or of all visitors of one network. */
export const CALLS_PER_MINUTE = 1200

export interface CallLimit {
  /** The request has a session after all: takes back the call that was counted for its network. */
  recognise(request: FastifyRequest): void
}

/**
 * Counts calls per minute in this process: for the listener if `findListener` finds one in its cache, else for the
 * network. An invented cookie counts for the network, so inventing many gains nothing. Listeners of one network do
 * not use up its limit with their first calls. This only registers the limiter; `app.rateLimit()` applies it.
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
