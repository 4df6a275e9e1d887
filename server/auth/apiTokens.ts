import { LRUCache } from 'lru-cache'
import {
  API_TOKEN_PREFIX,
  type ApiToken,
  type createApiToken as createEndpoint,
  MAX_API_TOKENS,
  SCOPES,
} from '../../contract/apiTokens.ts'
import type { BodyOf, ResponseOf, Scope } from '../../contract/endpoint.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import type { SessionUser } from '../http/route.ts'
import { hashToken, newToken } from './tokens.ts'

const MAX_CACHED_OWNERS = 10_000

/** Reads tokens of programs at each call, so that a revoked one opens nothing any more on any server. */
export class ApiTokens {
  readonly #db: Queryable
  /** Whose a token is never changes. */
  readonly #owners = new LRUCache<string, string>({ max: MAX_CACHED_OWNERS })

  constructor(db: Queryable) {
    this.#db = db
  }

  /**
   * The listener of a token that has the scope. Writes the last use at most once a minute.
   * @throws HttpError 401 for an unknown or revoked token, or one of a suspended account, 403 without the scope.
   */
  async find(token: string, scope: Scope): Promise<SessionUser> {
    const tokenHash = hashToken(token)
    const [row] = await this.#db<{ id: string; email: string | null; hasScope: boolean; isStale: boolean }[]>`
      select u.id, u.email, ${scope} = any(t.scopes) as has_scope,
        coalesce(t.last_used_at < now() - interval '1 minute', true) as is_stale
      from api_tokens t join users u on u.id = t.user_id
      where t.token_hash = ${tokenHash} and u.suspended_at is null`
    const key = tokenHash.toString('base64')
    if (!row) {
      this.#owners.delete(key)
      throw new HttpError(401, 'This token is not known here. It may have been revoked.')
    }
    const { id, email, hasScope, isStale } = row
    this.#owners.set(key, id)
    if (!hasScope) throw new HttpError(403, `This call needs a token with the scope ‘${scope}’.`)
    if (isStale) await this.#db`update api_tokens set last_used_at = now() where token_hash = ${tokenHash}`
    // No token has the rights of a steward.
    return { id, email, isSteward: false }
  }

  /** The listener of a token that was used here, to count calls. */
  cachedOwner(token: string): string | null {
    return this.#owners.get(hashToken(token).toString('base64')) ?? null
  }
}

interface ApiTokenRow {
  id: string
  name: string
  scopes: Scope[]
  createdAt: Date
  lastUsedAt: Date | null
}

/** The listener's tokens, the newest first. */
export async function listApiTokens(db: Queryable, userId: string): Promise<ApiToken[]> {
  const rows = await db<ApiTokenRow[]>`
    select id, name, scopes, created_at, last_used_at from api_tokens where user_id = ${userId} order by id desc`
  return rows.map(toApiToken)
}

/**
 * Makes a token, of which only the hash is stored.
 * @throws HttpError 409 when the listener has too many.
 */
export async function createApiToken(
  db: Database,
  userId: string,
  { name, scopes }: BodyOf<typeof createEndpoint>,
): Promise<ResponseOf<typeof createEndpoint>> {
  const token = API_TOKEN_PREFIX + newToken()
  return db.begin(async (tx) => {
    // Two tabs must not exceed the limit together.
    const owner = await tx`select from users where id = ${userId} for no key update`
    if (owner.count === 0) throw signInRequired()
    const [created] = await tx<ApiTokenRow[]>`
      insert into api_tokens (token_hash, user_id, name, scopes)
      select ${hashToken(token)}, ${userId}, ${name}, ${SCOPES.filter((scope) => scopes.includes(scope))}
      where (select count(*) from api_tokens where user_id = ${userId}) < ${MAX_API_TOKENS}
      returning id, name, scopes, created_at, last_used_at`
    if (!created)
      throw new HttpError(409, `You can have ${MAX_API_TOKENS} tokens. Revoke one that you do not use.`)
    return { ...toApiToken(created), token }
  })
}

/** @throws HttpError 404 when the listener has no such token. */
export async function revokeApiToken(db: Queryable, userId: string, id: string): Promise<void> {
  const revoked = await db`delete from api_tokens where id = ${id} and user_id = ${userId}`
  if (revoked.count === 0) throw new HttpError(404, 'There is no such token.')
}

function toApiToken({ id, name, scopes, createdAt, lastUsedAt }: ApiTokenRow): ApiToken {
  return {
    id,
    name,
    scopes,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
