import type { Session } from '../../contract/sessions.ts'
import type { Database } from '../db/connection.ts'
import { parseUserAgent } from './parseUserAgent.ts'
import { hashToken } from './tokens.ts'

/** The listener's sessions. `token` is the current one, which comes first. */
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

/** Bounds the list when a script signs in repeatedly. Signing out everywhere ends all sessions. */
const MAX_LISTED_SESSIONS = 100
