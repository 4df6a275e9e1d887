import type { AchievementProgress } from '../../contract/achievements.ts'
import type { Database } from '../db/connection.ts'

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
