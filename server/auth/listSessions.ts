import type { Session } from '../../contract/sessions.ts'
import type { Database } from '../db/connection.ts'
import { describeDevice } from './describeDevice.ts'
import { hashToken } from './tokens.ts'

/** Where a listener is signed in. `token` is the session of the browser that asks; it comes first. */
export async function listSessions(db: Database, userId: string, token: string): Promise<Session[]> {
  const rows = await db<
    { id: string; userAgent: string | null; createdAt: Date; lastSeenAt: Date; current: boolean }[]
  >`
    select id, user_agent, created_at, last_seen_at, token_hash = ${hashToken(token)} as current
    from sessions where user_id = ${userId} and expires_at > now()
    order by token_hash = ${hashToken(token)} desc, last_seen_at desc, id desc
    limit ${LIST_LIMIT}`
  return rows.map(({ id, userAgent, createdAt, lastSeenAt, current }) => ({
    id,
    ...describeDevice(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current,
  }))
}

/** A program that signs in again and again must not make the list endless; signing out everywhere ends them all. */
const LIST_LIMIT = 100
