import type { Queryable } from '../db/connection.ts'
import type { SignedIn } from '../http/route.ts'
import { SESSION_DAYS } from './cookies.ts'
import { hashToken, newToken } from './tokens.ts'

/** Milliseconds that a process may trust what it read of a session, by a clock that nobody can put back. */
const CACHE_AGE = 5000
const CACHE_SIZE = 10_000

/** Reads sessions, at most every five seconds each; the sliding expiry is written at most once an hour. */
export class Sessions {
  readonly #db: Queryable
  readonly #cache = new Map<string, { user: SignedIn; readAt: number }>()

  constructor(db: Queryable) {
    this.#db = db
  }

  /** The listener that a session token stands for, or null when it is unknown, over, or suspended. */
  async find(token: string | undefined): Promise<SignedIn | null> {
    if (!token || token.length > 100) return null
    const hash = hashToken(token)
    const key = hash.toString('base64')
    const cached = this.#cache.get(key)
    if (cached && performance.now() - cached.readAt < CACHE_AGE) return cached.user
    this.#cache.delete(key)
    const user = await readSession(this.#db, hash)
    if (user) this.#remember(key, user)
    return user
  }

  async end(token: string): Promise<void> {
    const hash = hashToken(token)
    this.#cache.delete(hash.toString('base64'))
    await this.#db`delete from sessions where token_hash = ${hash}`
  }

  /** Drops what is remembered of a listener whose account has ended. */
  forget(userId: string): void {
    for (const [key, { user }] of this.#cache) if (user.id === userId) this.#cache.delete(key)
  }

  #remember(key: string, user: SignedIn): void {
    if (this.#cache.size >= CACHE_SIZE) {
      const oldest = this.#cache.keys().next()
      if (!oldest.done) this.#cache.delete(oldest.value)
    }
    this.#cache.set(key, { user, readAt: performance.now() })
  }
}

/** Makes a session and gives its token, which is kept nowhere else. */
export async function createSession(
  db: Queryable,
  userId: string,
  userAgent: string | null,
): Promise<string> {
  const token = newToken()
  await db`
    insert into sessions (token_hash, user_id, user_agent, expires_at)
    values (${hashToken(token)}, ${userId}, ${userAgent}, now() + ${SESSION_DAYS} * interval '1 day')`
  return token
}

async function readSession(db: Queryable, hash: Buffer): Promise<SignedIn | null> {
  const [row] = await db<{ id: string; email: string | null; isStale: boolean }[]>`
    select u.id, u.email, s.last_seen_at < now() - interval '1 hour' as is_stale
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hash} and s.expires_at > now() and u.suspended_at is null`
  if (!row) return null
  if (row.isStale) {
    await db`
      update sessions set last_seen_at = now(), expires_at = now() + ${SESSION_DAYS} * interval '1 day'
      where token_hash = ${hash}`
  }
  return { id: row.id, email: row.email }
}
