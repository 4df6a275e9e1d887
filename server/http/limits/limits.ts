import type { Database, Queryable } from '../../db/connection.ts'
import { inBatches } from '../../db/inBatches.ts'
import { limitRefusals } from '../../processMetrics.ts'
import { HttpError } from '../HttpError.ts'
import { WIDER_SHARES, widerNetworksOf } from './networkOf.ts'

export interface Limit {
  /** What is counted, such as 'magic-link-address'. */
  name: string
  max: number
  /** Length of the window in seconds. */
  seconds: number
  /** The message of the 429. */
  message: string
  /** What is counted, in words for operators. */
  counts: string
  /** Whose uses are counted together: the key is a listener's id, an e-mail address, a network, or `all`, or a group of all. */
  per: 'listener' | 'address' | 'network' | 'all'
}

const defined = new Map<string, Limit>()

/** Defines a limit, which the list for operators then contains (accounts-6). */
export function defineLimit(limit: Limit): Limit {
  const wider = limit.per === 'network' ? [widerLimit(limit, 56), widerLimit(limit, 48)] : []
  for (const each of [limit, ...wider]) {
    defined.set(each.name, each)
    // The increase of a counter that begins with a refusal would miss it.
    limitRefusals.inc({ limit: each.name }, 0)
  }
  return limit
}

/** The limit of all networks in an IPv6 /56 or /48. */
const widerLimit = (limit: Limit, bits: keyof typeof WIDER_SHARES): Limit => ({
  ...limit,
  name: `${limit.name}-${bits}`,
  max: limit.max * WIDER_SHARES[bits],
  counts: `${limit.counts}, of an IPv6 /${bits}`,
})

/** All limits of the server. */
export const allLimits = (): Limit[] => [...defined.values()]

/**
 * Counts one use of `limit` by `key`, over all server processes.
 * @throws HttpError 429 with Retry-After beyond `max` uses.
 */
export async function enforceLimit(db: Database, limit: Limit, key: string): Promise<void> {
  const wait = await countUse(db, limit, key)
  if (wait > 0) throw new HttpError(429, limit.message, { retryAfter: wait })
}

/** Counts one use. Returns 0, or beyond `max` uses the seconds until the window ends. */
export async function countUse(db: Database, limit: Limit, key: string): Promise<number> {
  const { name, max, seconds, per } = limit
  // A window that ends later than possible was written before the database's clock was set back: it has expired.
  const [row] = await db<{ count: number; wait: number }[]>`
    insert into limit_counters as l (key, count, expires_at)
    values (${`${name}:${key}`}, 1, now() + ${seconds} * interval '1 second')
    on conflict (key) do update set
      count = case when l.expires_at between now() and excluded.expires_at + interval '1 minute'
        then l.count + 1 else 1 end,
      expires_at = case when l.expires_at between now() and excluded.expires_at + interval '1 minute'
        then l.expires_at else excluded.expires_at end
    returning count, ceil(extract(epoch from expires_at - now()))::int as wait`
  if (!row) throw new Error('An upsert returned no row.')
  if (row.count > max) {
    limitRefusals.inc({ limit: name })
    return Math.max(row.wait, 1)
  }
  for (const { bits, network } of per === 'network' ? widerNetworksOf(key) : []) {
    const wait = await countUse(db, widerLimit(limit, bits), network)
    if (wait > 0) return wait
  }
  return 0
}

/** Takes back a use that was counted. */
export async function returnUse(db: Queryable, { name, per }: Limit, key: string): Promise<void> {
  const wider = per === 'network' ? widerNetworksOf(key) : []
  const keys = [`${name}:${key}`, ...wider.map(({ bits, network }) => `${name}-${bits}:${network}`)]
  await db`update limit_counters set count = count - 1 where key = any(${keys}) and count > 0`
}

/** Whether the next use by `key` would be one too many. Counts none. */
export async function isReached(db: Queryable, { name, max }: Limit, key: string): Promise<boolean> {
  const reached = await db`
    select from limit_counters where key = ${`${name}:${key}`} and count >= ${max} and expires_at > now()`
  return reached.length > 0
}

interface ReachedLimit {
  key: string
  count: number
  until: Date
}

/** The counters whose next use would be rejected, those that end last first. */
export async function listReachedLimits(db: Queryable, limit: number): Promise<ReachedLimit[]> {
  const limits = allLimits()
  return db<ReachedLimit[]>`
    select r.key, r.count, r.expires_at as until
    from limit_counters r
    join unnest(${limits.map(({ name }) => name)}::text[], ${limits.map(({ max }) => max)}::int[]) as l (name, most)
      on l.name = split_part(r.key, ':', 1)
    where r.count >= l.most and r.expires_at > now()
    order by r.expires_at desc, r.key limit ${limit}`
}

/** Deletes a counter. False when there is none. */
export async function clearLimit(db: Queryable, key: string): Promise<boolean> {
  const cleared = await db`delete from limit_counters where key = ${key}`
  return cleared.count > 0
}

/** Whether this is the first claim of `name` and `key` within `seconds`, over all server processes. */
export async function claimOnce(db: Queryable, name: string, key: string, seconds: number): Promise<boolean> {
  const claimed = await db`
    insert into rate_limits as c (key, count, expires_at)
    values (${`${name}:${key}`}, 1, now() + ${seconds} * interval '1 second')
    on conflict (key) do update set count = 1, expires_at = excluded.expires_at
      where c.expires_at not between now() and excluded.expires_at + interval '1 minute'`
  return claimed.count > 0
}

/** Ends the work of a claim, which lasts `seconds` more if these end before. */
export async function endClaim(db: Queryable, name: string, key: string, seconds: number): Promise<void> {
  await db`
    update rate_limits set count = 2, expires_at = least(expires_at, now() + ${seconds} * interval '1 second')
    where key = ${`${name}:${key}`}`
}

/** Whether a claim's work has not ended. */
export async function isClaimUnderWay(db: Queryable, name: string, key: string): Promise<boolean> {
  const claimed = await db`
    select from rate_limits where key = ${`${name}:${key}`} and count = 1 and expires_at > now()`
  return claimed.length > 0
}

export interface Lock {
  name: string
  /** Seconds after which the lock expires, because the server that holds it may die. */
  seconds: number
  /** The message while the lock is held. */
  message: string
  /** 429 by default; 409 when the same operation is already running. */
  status?: 409 | 429
}

/**
 * Runs `work` unless it already runs under the same `name` and `key`, over all server processes.
 * @throws HttpError 429 or the lock's status with Retry-After while it runs.
 */
export async function withLock<T>(db: Database, lock: Lock, key: string, work: () => Promise<T>): Promise<T> {
  if (!(await claimOnce(db, lock.name, key, lock.seconds)))
    throw new HttpError(lock.status ?? 429, lock.message, { retryAfter: 1 })
  try {
    return await work()
  } finally {
    await db`delete from rate_limits where key = ${`${lock.name}:${key}`}`
  }
}

/** The tables of counters and of claims. */
const LIMIT_TABLES = ['limit_counters', 'rate_limits'] as const

/** Deletes what this listener or address has used. */
export async function deleteUsesOf(db: Queryable, key: string): Promise<void> {
  for (const table of LIMIT_TABLES)
    await db`delete from ${db(table)} where right(key, ${key.length + 1}::int) = ${`:${key}`}`
}

/** Deletes what has expired. */
export async function sweepLimits(db: Database, signal?: AbortSignal): Promise<void> {
  for (const table of LIMIT_TABLES)
    await inBatches(
      signal,
      (rows) => db`
        delete from ${db(table)} where key in (
          select key from ${db(table)} where expires_at <= now() limit ${rows} for update skip locked)`,
    )
}
