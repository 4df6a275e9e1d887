import type { Achievement } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'

interface Row {
  id: string
  type: string
  metadata: Record<string, string | number>
  createdAt: Date
}

/** A listener's achievements, newest first. */
export async function listAchievements(db: Database, listener: string): Promise<Achievement[]> {
  const rows = await db<Row[]>`
    select id, type, metadata, created_at from achievements where user_id = ${listener} order by id desc`
  return rows.map(toAchievement)
}

/**
 * Marks up to `limit` achievements as announced and returns them, oldest first: each exactly once, also when several
 * tabs call at the same time (community-13).
 */
export async function announceAchievements(
  db: Database,
  listener: string,
  limit = 100,
): Promise<Achievement[]> {
  const rows = await db<Row[]>`
    with waiting as (
      select user_id, type, scope from achievements
      where user_id = ${listener} and announced_at is null
      order by id limit ${limit} for update skip locked
    )
    update achievements a set announced_at = now()
    from waiting w
    where a.user_id = w.user_id and a.type = w.type and a.scope = w.scope and a.announced_at is null
    returning a.id, a.type, a.metadata, a.created_at`
  return rows.map(toAchievement).sort((a, b) => Number(a.id) - Number(b.id))
}

const toAchievement = (row: Row): Achievement => ({ ...row, createdAt: row.createdAt.toISOString() })
