import type { Database } from '../db/connection.ts'
import { HttpError } from './HttpError.ts'

export interface Limit {
  /** What is counted, such as 'magic-link-address'. */
  name: string
  max: number
  /** Seconds that a count lives. */
  seconds: number
  /** Shown to whoever meets the limit. */
  message: string
}

/**
 * Counts one use under `name` and `key`, over all server processes. A count that ends far later than it can was
 * made before the database's clock was put back; it is over.
 * @throws HttpError 429 with Retry-After beyond `max` uses.
 */
export async function takeFromLimit(db: Database, limit: Limit, key: string): Promise<void> {
  const [row] = await db<{ count: number; wait: number }[]>`
    insert into rate_limits as l (key, count, expires_at)
    values (${`${limit.name}:${key}`}, 1, now() + ${limit.seconds} * interval '1 second')
    on conflict (key) do update set
      count = case when l.expires_at between now() and excluded.expires_at + interval '1 minute'
        then l.count + 1 else 1 end,
      expires_at = case when l.expires_at between now() and excluded.expires_at + interval '1 minute'
        then l.expires_at else excluded.expires_at end
    returning count, ceil(extract(epoch from expires_at - now()))::int as wait`
  if (row && row.count > limit.max)
    throw new HttpError(429, limit.message, { retryAfter: Math.max(row.wait, 1) })
}

export interface Turn {
  name: string
  /** Seconds after which a turn that was not given back is over: a server may die over it. */
  seconds: number
  /** Shown to whoever comes meanwhile. */
  message: string
  /** 429 by default; 409 where it is the same thing that is being done. */
  status?: 409 | 429
}

/**
 * Does `work` while nobody else does it under the same `name` and `key`, over all server processes.
 * @throws HttpError 429 or the turn's status with Retry-After while another one is at it.
 */
export async function withTurn<T>(db: Database, turn: Turn, key: string, work: () => Promise<T>): Promise<T> {
  const place = `${turn.name}:${key}`
  const taken = await db`
    insert into rate_limits as l (key, count, expires_at)
    values (${place}, 1, now() + ${turn.seconds} * interval '1 second')
    on conflict (key) do update set expires_at = excluded.expires_at where l.expires_at <= now()`
  if (taken.count === 0) throw new HttpError(turn.status ?? 429, turn.message, { retryAfter: 1 })
  try {
    return await work()
  } finally {
    await db`delete from rate_limits where key = ${place}`
  }
}

/** Rows that one statement removes: none holds its locks for long. */
const SWEEP_BATCH = 5000

/** Removes counts that are over, so that the table stays as large as what is being counted. */
export async function sweepLimits(db: Database): Promise<void> {
  for (;;) {
    const { count } = await db`
      delete from rate_limits where key in (
        select key from rate_limits where expires_at <= now()
        limit ${SWEEP_BATCH} for update skip locked)`
    if (count < SWEEP_BATCH) return
  }
}
