import type { Database } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import type { MadeMicrogenre } from '../factories.ts'

/** The random order of a listener's pass, in which cards are drawn (discover-49). */
export async function passOrder(
  db: Database,
  listener: string,
  { id, songs }: MadeMicrogenre,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select s.id from listener_genres g
    cross join generate_series(0, ${songs.length}::int - 1) as place
    join songs s on s.microgenre_id = g.microgenre_id and s.seq = ${functions}.song_at_place(g.pass_seed, g.pass_size, place)
    where g.user_id = ${listener} and g.microgenre_id = ${id} order by place`
  return rows.map((row) => row.id)
}
