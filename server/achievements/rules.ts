import type { AchievementType } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'

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
