import type { Queryable } from '../db/connection.ts'

/** At most `limit` requests in any interval. */
export interface Throttle {
  limit: number
  /** Milliseconds. */
  interval: number
}

/** The rate limiter of one service, which all processes share through the database. */
interface RateLimiter {
  /**
   * Reserves the next turn and returns the milliseconds until it; null, without a turn, if these are more than
   * `maxWait`.
   */
  reserve(maxWait: number): Promise<number | null>
  /** Reserves no turns for so many milliseconds. */
  pause(milliseconds: number): Promise<void>
}

/** The limit of a public service. Another address, such as the operator's own mirror, has none. */
export const throttleFor = (address: string, host: string, throttle: Throttle): Throttle | null =>
  new URL(address).hostname === host ? throttle : null

/** A row stores the last `limit` turns. The next one is an interval after the oldest of them. */
export function createRateLimiter(
  db: Queryable,
  service: string,
  { limit, interval }: Throttle,
): RateLimiter {
  const nextTurn = db`greatest(now(), t.held_until,
    t.turns[cardinality(t.turns) - ${limit}::int + 1] + ${interval} * interval '1 millisecond')`
  return {
    async reserve(maxWait) {
      const [turn] = await db<{ wait: number }[]>`
        insert into service_turns as t (service, turns) values (${service}, array[now()])
        on conflict (service) do update
          set turns = (t.turns || ${nextTurn})[greatest(1, cardinality(t.turns) + 2 - ${limit}::int):]
          where ${nextTurn} <= now() + ${maxWait} * interval '1 millisecond'
        returning coalesce(ceil(extract(epoch from turns[cardinality(turns)] - now()) * 1000), 0)::int as wait`
      return turn?.wait ?? null
    },

    async pause(milliseconds) {
      await db`
        insert into service_turns as t (service, turns, held_until)
        values (${service}, '{}', now() + ${milliseconds} * interval '1 millisecond')
        on conflict (service) do update set held_until = greatest(t.held_until, excluded.held_until)`
    },
  }
}
