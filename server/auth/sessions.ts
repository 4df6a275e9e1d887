import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Session } from '../../contract/auth.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'
import type { SessionUser } from '../http/route.ts'
import { MAX_SESSION_DAYS, SESSION_DAYS } from './cookies.ts'
import { parseUserAgent } from './parseUserAgent.ts'
import { hashToken, newToken } from './tokens.ts'

/** Milliseconds that a cached session is valid, by a monotonic clock. */
const MAX_CACHE_AGE = 5000
/** Age at which a cached session is refreshed in the background, so that an active listener never waits for it. */
const REFRESH_AGE = 2500
const MAX_CACHED_SESSIONS = 10_000

/** Bounds the list when a script signs in repeatedly. Signing out everywhere ends all sessions. */
const MAX_LISTED_SESSIONS = 100

/** Reads sessions and caches each for five seconds. Writes the sliding expiry at most once an hour. */
export class Sessions {
  readonly #db: Queryable
  readonly #cache = new LRUCache<string, CachedSession>({ max: MAX_CACHED_SESSIONS })
  /** Number of times that sessions were ended here. A read that began before the last one is not cached. */
  #endCount = 0

  constructor(db: Queryable) {
    this.#db = db
  }

  /**
   * The listener of a session token; null when the token is unknown, expired or belongs to a suspended account.
   * `onRenewed` is called when the session was extended.
   */
  async find(token: string | null | undefined, onRenewed = () => {}): Promise<SessionUser | null> {
    if (!token || token.length > 100) return null
    const key = keyOf(token)
    const cached = this.#cache.get(key)
    const age = cached ? performance.now() - cached.readAt : MAX_CACHE_AGE
    if (cached && age < MAX_CACHE_AGE) {
      if (age > REFRESH_AGE && !cached.isRefreshing) this.#refresh(token, key, cached)
      return cached.user
    }
    const endCount = this.#endCount
    const readAt = performance.now()
    const session = await readSession(this.#db, token)
    this.#cache.delete(key)
    if (!session) return null
    if (session.isStale) {
      await renewSession(this.#db, token)
      onRenewed()
    }
    if (endCount === this.#endCount) this.#cache.set(key, { user: session.user, readAt })
    return session.user
  }

  /**
   * The listener of a token by the cache alone, however old the entry is. Good enough to count calls, not to
   * authorise them.
   */
  cachedListener(token: string | undefined): string | null {
    if (!token || token.length > 100) return null
    return this.#cache.get(keyOf(token))?.user.id ?? null
  }

  async end(token: string): Promise<void> {
    await this.#db`delete from sessions where token_hash = ${hashToken(token)}`
    this.#evictKey(keyOf(token))
  }

  /** False when the listener has no such session. */
  async endSession(userId: string, sessionId: string): Promise<boolean> {
    const [ended] = await this.#db<{ tokenHash: Buffer }[]>`
      delete from sessions where id = ${sessionId} and user_id = ${userId} returning token_hash`
    if (ended) this.#evictKey(ended.tokenHash.toString('base64'))
    return ended !== undefined
  }

  async endAll(userId: string): Promise<void> {
    await endSessions(this.#db, userId)
    this.evict(userId)
  }

  /** Evicts a listener whose sessions have ended. */
  evict(userId: string): void {
    this.#endCount++
    for (const [key, { user }] of this.#cache) if (user.id === userId) this.#cache.delete(key)
  }

  #evictKey(key: string): void {
    this.#endCount++
    this.#cache.delete(key)
  }

  /** When it fails, or the session needs an extension, the next call does the work. */
  #refresh(token: string, key: string, cached: CachedSession): void {
    cached.isRefreshing = true
    const endCount = this.#endCount
    const readAt = performance.now()
    readSession(this.#db, token).then(
      (session) => {
        if (this.#cache.get(key) !== cached) return
        if (!session) this.#cache.delete(key)
        else if (!session.isStale && endCount === this.#endCount)
          this.#cache.set(key, { user: session.user, readAt })
      },
      () => {},
    )
  }
}

/**
 * Creates a session and returns its token, of which only the hash is stored. Null for a suspended account; the lock
 * waits for a suspension in progress.
 */
export async function createSession(
  db: Queryable,
  userId: string,
  userAgent: string | null,
): Promise<string | null> {
  const token = newToken()
  await db`delete from sessions where user_id = ${userId} and expires_at <= now()`
  const inserted = await db`
    insert into sessions (token_hash, user_id, user_agent, expires_at)
    select ${hashToken(token)}, id, ${userAgent}, now() + ${SESSION_DAYS} * interval '1 day'
    from users where id = ${userId} and suspended_at is null for share`
  return inserted.count > 0 ? token : null
}

/**
 * Signs a listener out everywhere, programs with their tokens too; servers notice within five seconds. False when there
 * was no session and no token.
 */
export async function endSessions(db: Queryable, userId: string): Promise<boolean> {
  const revoked = await db`delete from api_tokens where user_id = ${userId}`
  const ended = await db`delete from sessions where user_id = ${userId}`
  return revoked.count + ended.count > 0
}

/** The listener's sessions, the one of `token` first. */
export async function listSessions(db: Database, userId: string, token: string): Promise<Session[]> {
  const rows = await db<
    { id: string; userAgent: string | null; createdAt: Date; lastSeenAt: Date; current: boolean }[]
  >`
    select id, user_agent, created_at, last_seen_at, token_hash = ${hashToken(token)} as current
    from sessions where user_id = ${userId} and expires_at > now()
    order by token_hash = ${hashToken(token)} desc, last_seen_at desc, id desc
    limit ${MAX_LISTED_SESSIONS}`
  return rows.map(({ id, userAgent, createdAt, lastSeenAt, current }) => ({
    id,
    ...parseUserAgent(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current,
  }))
}

export const sweepSessions = (db: Queryable, signal?: AbortSignal): Promise<void> =>
  inBatches(
    signal,
    (rows) => db`
      delete from sessions where token_hash in (
        select token_hash from sessions where expires_at <= now() order by expires_at limit ${rows})`,
  )

/** The cache holds no tokens either. */
const keyOf = (token: string) => hash('sha256', token, 'base64')

async function readSession(
  db: Queryable,
  token: string,
): Promise<{ user: SessionUser; isStale: boolean } | null> {
  const [row] = await db<(SessionUser & { isStale: boolean })[]>`
    select u.id, u.email, u.is_steward, s.last_seen_at < now() - interval '1 hour' as is_stale
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hashToken(token)} and s.expires_at > now() and u.suspended_at is null`
  if (!row) return null
  const { isStale, ...user } = row
  return { user, isStale }
}

async function renewSession(db: Queryable, token: string): Promise<void> {
  await db`
    update sessions set last_seen_at = now(), expires_at = least(now() + ${SESSION_DAYS} * interval '1 day',
      created_at + ${MAX_SESSION_DAYS} * interval '1 day')
    where token_hash = ${hashToken(token)}`
}

interface CachedSession {
  user: SessionUser
  readAt: number
  isRefreshing?: true
}
