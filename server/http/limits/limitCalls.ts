import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../HttpError.ts'
import { networkOf, WIDER_SHARES, widerNetworksOf } from './networkOf.ts'

/** Calls per minute of one listener, or of all visitors of one network. */
export const CALLS_PER_MINUTE = 1200

export interface CallLimit {
  /** A hook that counts a request, and answers 429 beyond the limit. */
  count(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
  /** Takes back the call that was counted for the network of a request that turned out to have a session. */
  refundNetwork(request: FastifyRequest): void
}

/**
 * Counts calls per minute in this process: for the listener if `findListener` has one in its cache, else for the network.
 * Invented cookies count for the network, so they gain nothing. First calls of a listener are refunded to the network.
 */
export function limitCalls(max: number, findListener: (request: FastifyRequest) => string | null): CallLimit {
  const counts = new CallCounts()
  const anonymousRequests = new WeakSet<FastifyRequest>()
  return {
    count(request, reply, done) {
      const listener = findListener(request)
      if (listener === null) anonymousRequests.add(request)
      const caller = listener === null ? networkOf(request.ip) : `listener ${listener}`
      const { current, wait } = counts.add(caller)
      // Rejected calls do not count for wider networks, so that no network uses up its neighbours' share.
      const isOver =
        current > max ||
        widerNetworksOf(caller).some(
          ({ bits, network }) => counts.add(network).current > max * WIDER_SHARES[bits],
        )
      reply.headers({
        'x-ratelimit-limit': max,
        'x-ratelimit-remaining': Math.max(0, max - current),
        'x-ratelimit-reset': wait,
      })
      done(
        isOver
          ? new HttpError(429, 'Too many requests. Please wait a moment.', { retryAfter: wait })
          : undefined,
      )
    },
    refundNetwork(request) {
      if (!anonymousRequests.delete(request)) return
      const own = networkOf(request.ip)
      for (const network of [own, ...widerNetworksOf(own).map((wider) => wider.network)])
        counts.refund(network)
    },
  }
}

/**
 * Counts calls per caller in fixed windows of a minute, in this process only. The clock is monotonic, so that nobody waits
 * longer when the system's clock is set back.
 */
export class CallCounts {
  readonly #counts = new LRUCache<string, { current: number }>({
    max: MAX_CALLERS,
    ttl: MINUTE,
    ttlResolution: 0,
    perf: performance,
  })

  /** Counts calls. Returns the calls in this window and the seconds until it ends. */
  add(caller: string, calls = 1): { current: number; wait: number } {
    let count = this.#counts.get(caller)
    if (!count) {
      count = { current: 0 }
      this.#counts.set(caller, count)
    }
    count.current += calls
    return { current: count.current, wait: Math.ceil(this.#counts.getRemainingTTL(caller) / 1000) }
  }

  /** Takes back one call that turned out to be another caller's. */
  refund(caller: string): void {
    const count = this.#counts.get(caller)
    if (count && count.current > 0) count.current--
  }
}

/** At about 100 bytes each. */
const MAX_CALLERS = 50_000

/** Milliseconds. */
const MINUTE = 60_000
