import type { Achievement } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'

interface AchievementRow {
  id: string
  type: string
  metadata: Record<string, string | number> | null
  createdAt: Date
}

/** A listener's achievements, newest first. */
export async function listAchievements(db: Database, listener: string): Promise<Achievement[]> {
  const rows = await db<AchievementRow[]>`
    select id, type, metadata, created_at from achievements where user_id = ${listener} order by id desc`
  return rows.map(toAchievement)
}

/**
 * Announces at most 100 achievements, oldest first; each exactly once, even when several tabs call at once
 * (community-13).
 */
export const announceAchievements = (db: Database, listener: string): Promise<Achievement[]> =>
  markAnnounced(db, listener, { most: 100, afterSeconds: 0 })

/**
 * Announces the oldest achievement that has waited for ten seconds. Until then it may be announced together with
 * others (community-14).
 */
export async function announceLateAchievement(db: Database, listener: string): Promise<Achievement | null> {
  const [lateAchievement] = await markAnnounced(db, listener, { most: 1, afterSeconds: 10 })
  return lateAchievement ?? null
}

async function markAnnounced(
  db: Database,
  listener: string,
  { most, afterSeconds }: { most: number; afterSeconds: number },
): Promise<Achievement[]> {
  const rows = await db<AchievementRow[]>`
    with waiting as (
      select user_id, type, scope from achievements
      where user_id = ${listener} and announced_at is null
        and created_at <= now() - make_interval(secs => ${afterSeconds})
      order by id limit ${most} for update skip locked
    )
    update achievements a set announced_at = now()
    from waiting w
    where a.user_id = w.user_id and a.type = w.type and a.scope = w.scope and a.announced_at is null
    returning a.id, a.type, a.metadata, a.created_at`
  return rows.map(toAchievement).sort((a, b) => Number(a.id) - Number(b.id))
}

const toAchievement = (row: AchievementRow): Achievement => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
})
