import type { MicrogenreEntry } from '../../catalogue/catalogue.ts'
import type { Queryable } from '../db/connection.ts'

/**
 * Adds microgenres. With `update`, also changes existing keys and restores retired ones. Returns the number of added
 * or changed ones.
 */
export async function writeMicrogenres(
  db: Queryable,
  entries: MicrogenreEntry[],
  { update }: { update: boolean },
): Promise<number> {
  const written = await db<{ id: string }[]>`
    insert into microgenres as m (key, name, family, description, color, energy, vocals, familiarity, mood)
    select key, name, family, description, color, energy, vocals, familiarity, mood
    from jsonb_to_recordset(${db.json(entries)}) as i
      (key text, name text, family text, description text, color text,
       energy text[], vocals text[], familiarity text[], mood text[])
    on conflict (key) do update set
      name = excluded.name, family = excluded.family, description = excluded.description,
      color = excluded.color, energy = excluded.energy, vocals = excluded.vocals,
      familiarity = excluded.familiarity, mood = excluded.mood, retired_at = null
    where ${update ? db`true` : db`false`} and (m.retired_at is not null or
      (m.name, m.family, m.description, m.color, m.energy, m.vocals, m.familiarity, m.mood)
        is distinct from (excluded.name, excluded.family, excluded.description, excluded.color,
                          excluded.energy, excluded.vocals, excluded.familiarity, excluded.mood))
    returning m.id`
  return written.length
}
