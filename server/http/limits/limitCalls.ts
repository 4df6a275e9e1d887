import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../HttpError.ts'
import { networkOf } from './networkOf.ts'

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
      const { current, wait } = counts.add(listener === null ? networkOf(request.ip) : `listener ${listener}`)
      reply.headers({
        'x-ratelimit-limit': max,
        'x-ratelimit-remaining': Math.max(0, max - current),
        'x-ratelimit-reset': wait,
      })
      done(
        current > max
          ? new HttpError(429, 'Too many requests. Please wait a moment.', { retryAfter: wait })
          : undefined,
      )
    },
    refundNetwork(request) {
      if (anonymousRequests.delete(request)) counts.refund(networkOf(request.ip))
    },
  }
}

/**
 * Counts calls per caller in fixed windows of a minute, in this process only. The clock is monotonic, so that nobody waits
 * longer when the system's clock is set back.
 */
export class CallCounts {
  readonly #counts = new Map<string, Count>()

  /** Counts calls. Returns the calls in this window and the seconds until it ends. */
  add(caller: string, calls = 1): { current: number; wait: number } {
    const now = performance.now()
    let count = this.#counts.get(caller)
    if (!count || count.endsAt <= now) {
      this.#counts.delete(caller)
      if (this.#counts.size >= MAX_CALLERS) this.#sweep(now)
      count = { current: 0, endsAt: now + MINUTE }
      this.#counts.set(caller, count)
    }
    count.current += calls
    return { current: count.current, wait: Math.ceil((count.endsAt - now) / 1000) }
  }

  /** Takes back one call that turned out to be another caller's. */
  refund(caller: string): void {
    const count = this.#counts.get(caller)
    if (count && count.current > 0) count.current--
  }

  /** The map is ordered by the start of the windows, so expired entries come first, then the oldest. */
  #sweep(now: number): void {
    for (const [caller, { endsAt }] of this.#counts) {
      if (endsAt > now && this.#counts.size < MAX_CALLERS) return
      this.#counts.delete(caller)
    }
  }
}

/** At about 100 bytes each. */
const MAX_CALLERS = 50_000

interface Count {
  current: number
  /** On the monotonic clock. */
  endsAt: number
}

/** Milliseconds. */
const MINUTE = 60_000
