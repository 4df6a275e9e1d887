import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Count {
  current: number
  endsAt: number
}

/**
 * Counts calls per caller in fixed time windows, in this process only. Uses a monotonic clock: with the wall clock,
 * a caller at the limit would wait for as long as somebody set it back.
 */
export class CallCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, Count>()

  incr(
    caller: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow?: number,
  ): void {
    done(null, this.add(caller, 1, timeWindow))
  }

  /** Counts several calls at once, and tells how many there are and the milliseconds until the window ends. */
  add(caller: string, calls: number, timeWindow = 60_000): { current: number; ttl: number } {
    const now = performance.now()
    let count = this.#counts.get(caller)
    if (!count || count.endsAt <= now) {
      this.#counts.delete(caller)
      if (this.#counts.size >= MOST) this.#sweep(now)
      count = { current: 0, endsAt: now + timeWindow }
      this.#counts.set(caller, count)
    }
    count.current += calls
    return { current: count.current, ttl: count.endsAt - now }
  }

  /** Takes back one call that turned out to be another caller's. */
  giveBack(caller: string): void {
    const count = this.#counts.get(caller)
    if (count && count.current > 0) count.current--
  }

  child(): CallCounts {
    return new CallCounts()
  }

  /** The map is ordered by the start of the windows, so expired entries come first, then the oldest. */
  #sweep(now: number): void {
    for (const [caller, { endsAt }] of this.#counts) {
      if (endsAt > now && this.#counts.size < MOST) return
      this.#counts.delete(caller)
    }
  }
}

/** Callers that are kept, at about 100 bytes each. */
const MOST = 50_000
