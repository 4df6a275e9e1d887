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
 * Counts one use under `name` and `key`, over all server processes.
 * @throws HttpError 429 with Retry-After beyond `max` uses.
 */
export async function takeFromLimit(db: Database, limit: Limit, key: string): Promise<void> {
  const [row] = await db<{ count: number; wait: number }[]>`
    insert into rate_limits as l (key, count, expires_at)
    values (${`${limit.name}:${key}`}, 1, now() + ${limit.seconds} * interval '1 second')
    on conflict (key) do update set
      count = case when l.expires_at <= now() then 1 else l.count + 1 end,
      expires_at = case when l.expires_at <= now() then excluded.expires_at else l.expires_at end
    returning count, ceil(extract(epoch from expires_at - now()))::int as wait`
  if (row && row.count > limit.max)
    throw new HttpError(429, limit.message, { retryAfter: Math.max(row.wait, 1) })
}
