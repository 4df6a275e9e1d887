import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Count {
  current: number
  endsAt: number
}

/**
 * Counts calls by caller in windows of time, in this process alone. By a clock that only runs forward: with that of
 * the wall a caller at the limit waits for as long as somebody put it back.
 */
export class CallCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, Count>()

  incr(
    caller: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow = 60_000,
  ): void {
    const now = performance.now()
    let count = this.#counts.get(caller)
    if (!count || count.endsAt <= now) {
      this.#counts.delete(caller)
      if (this.#counts.size >= MOST) this.#sweep(now)
      count = { current: 0, endsAt: now + timeWindow }
      this.#counts.set(caller, count)
    }
    count.current++
    done(null, { current: count.current, ttl: count.endsAt - now })
  }

  /** Takes one call back that turned out to be another caller's. */
  giveBack(caller: string): void {
    const count = this.#counts.get(caller)
    if (count && count.current > 0) count.current--
  }

  child(): CallCounts {
    return new CallCounts()
  }

  /** The map's order is that of the windows' beginnings: what is over stands in front, and else the oldest goes. */
  #sweep(now: number): void {
    for (const [caller, { endsAt }] of this.#counts) {
      if (endsAt > now && this.#counts.size < MOST) return
      this.#counts.delete(caller)
    }
  }
}

/** Callers that are remembered, at about 100 bytes each. */
const MOST = 50_000
