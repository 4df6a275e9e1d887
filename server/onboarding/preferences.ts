import type { Preferences } from '../../contract/onboarding.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { recommend, type TaggedMicrogenre } from './recommend.ts'

/** Null for a listener who has not answered (onboarding-9). */
export async function getPreferences(db: Database, listener: string): Promise<Preferences | null> {
  const [row] = await db<Preferences[]>`
    select energy_preference, vocal_preference, familiarity_level, music_mood
    from preferences where user_id = ${listener}`
  return row ?? null
}

export async function savePreferences(
  db: Database,
  listener: string,
  answers: Preferences,
): Promise<Preferences> {
  await db`
    insert into preferences (user_id, energy_preference, vocal_preference, familiarity_level, music_mood)
    values (${listener}, ${answers.energyPreference}, ${answers.vocalPreference},
            ${answers.familiarityLevel}, ${answers.musicMood})
    on conflict (user_id) do update set
      energy_preference = excluded.energy_preference, vocal_preference = excluded.vocal_preference,
      familiarity_level = excluded.familiarity_level, music_mood = excluded.music_mood, updated_at = now()`
  return answers
}

/** Always the same for a listener with the same answers. Never empty while there are microgenres with songs. */
export async function recommendMicrogenres(
  db: Database,
  listener: string,
  answers: Preferences,
): Promise<Microgenre[]> {
  const microgenres = await db<(Microgenre & TaggedMicrogenre)[]>`
    select m.id, m.name, m.description, m.color, m.live_song_count as song_count,
      coalesce(t.bangers, 0) as banger_count, m.energy, m.vocals, m.familiarity, m.mood
    from microgenres m left join microgenre_totals t on t.microgenre_id = m.id
    where m.live_song_count > 0`
  return recommend([...microgenres], answers, listener)
}
