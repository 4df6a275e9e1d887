import type { AchievementProgress } from '../../contract/achievements.ts'
import type { Achievement, AchievementType } from '../../contract/shapes.ts'
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
export async function announceAchievements(db: Database, listener: string): Promise<Achievement[]> {
  const rows = await db<AnnouncedRow[]>`
    with waiting as (
      select user_id, type, scope from achievements where user_id = ${listener} and announced_at is null
      order by id limit 100 for update skip locked
    ) ${announceWaiting(db)}`
  return rows.map(toAchievement).sort((a, b) => Number(a.id) - Number(b.id))
}

/**
 * Announces each listener's oldest achievement if it has waited for ten seconds. Until then it may be announced together
 * with others (community-14).
 */
export async function announceLateAchievements(
  db: Database,
  listeners: readonly string[],
): Promise<Map<string, Achievement>> {
  if (listeners.length === 0) return new Map()
  const rows = await db<AnnouncedRow[]>`
    with waiting as (
      select user_id, type, scope from achievements a
      where user_id = any(${listeners}::bigint[]) and announced_at is null
        and created_at <= now() - interval '10 seconds'
        and not exists (
          select from achievements older
          -- Without the list Citus does not find the worker.
          where older.user_id = any(${listeners}::bigint[]) and older.user_id = a.user_id
            and older.announced_at is null and older.id < a.id)
      for update skip locked
    ) ${announceWaiting(db)}`
  return new Map(rows.map((row) => [row.userId, toAchievement(row)]))
}

type AnnouncedRow = AchievementRow & { userId: string }

/** By the key alone: a condition on announced_at would let a plan read all that were never announced. */
const announceWaiting = (db: Database) => db`
  update achievements a set announced_at = now()
  from waiting w
  where a.user_id = w.user_id and a.type = w.type and a.scope = w.scope
  returning a.user_id, a.id, a.type, a.metadata, a.created_at`

const toAchievement = ({ id, type, metadata, createdAt }: AchievementRow): Achievement => ({
  id,
  type,
  metadata,
  createdAt: createdAt.toISOString(),
})

/**
 * Achievements not yet earned, the nearest first (community-16). Bangers in one microgenre are those in the
 * listener's strongest one.
 */
export async function listAchievementProgress(
  db: Database,
  listener: string,
): Promise<AchievementProgress[]> {
  return db<AchievementProgress[]>`
    with best as (
      select m.name, g.bangers from listener_genres g join microgenres m on m.id = g.microgenre_id
      where g.user_id = ${listener} and g.bangers > 0
      order by g.bangers desc, m.name limit 1
    )
    select rule.type, rule.threshold, least(coalesce(counted.so_far, 0), rule.threshold) as count,
      case when rule.counter = 'genre_bangers' then (select name from best) end as microgenre_name
    from achievement_rules rule
    left join listener_stats s on s.user_id = ${listener}
    left join lateral (values
      ('bangers', s.total_bangers),
      ('ratings', s.total_ratings),
      ('streak', s.streak),
      ('genres', s.genres_rated),
      ('genre_bangers', (select bangers from best))
    ) as counted (counter, so_far) on counted.counter = rule.counter
    where not exists (select from achievements a where a.user_id = ${listener} and a.type = rule.type)
    order by coalesce(counted.so_far, 0)::float8 / rule.threshold desc, rule.threshold, rule.type`
}

interface Rule {
  /** `genre_bangers` counts in the rating's microgenre, the others count in all. */
  counter: 'bangers' | 'ratings' | 'streak' | 'genres' | 'genre_bangers'
  threshold: number
}

/** When each achievement is earned (community-10, community-11, community-12, community-13). */
export const ACHIEVEMENT_RULES = {
  first_banger: { counter: 'bangers', threshold: 1 },
  microgenre_master: { counter: 'genre_bangers', threshold: 10 },
  streak_5: { counter: 'streak', threshold: 5 },
  streak_10: { counter: 'streak', threshold: 10 },
  streak_25: { counter: 'streak', threshold: 25 },
  explorer: { counter: 'genres', threshold: 5 },
  critic: { counter: 'ratings', threshold: 50 },
  enthusiast: { counter: 'ratings', threshold: 100 },
} satisfies Record<AchievementType, Rule>

/** Writes the rules to the table that the rating function reads. */
export async function writeAchievementRules(db: Database): Promise<void> {
  const rules = Object.entries(ACHIEVEMENT_RULES).map(([type, rule]) => ({ type, ...rule }))
  await db`
    insert into achievement_rules (type, counter, threshold)
    select type, counter, threshold
    from jsonb_to_recordset(${db.json(rules)}) as i (type text, counter text, threshold integer)
    on conflict (type) do update set counter = excluded.counter, threshold = excluded.threshold`
}
