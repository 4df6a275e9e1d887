import type { MappedMicrogenre } from '../../contract/map.ts'
import type { Database } from '../db/connection.ts'

/** The microgenres on the map by name, with the listener's own figures (discover-82). */
export async function readMap(db: Database, listener: string): Promise<MappedMicrogenre[]> {
  return db<MappedMicrogenre[]>`
    select m.id, m.name, m.family, m.description, m.color, m.live_song_count as song_count, p.x, p.y,
      coalesce(own.ratings, 0) as ratings, coalesce(own.bangers, 0) as bangers
    from microgenres m
    join microgenre_places p on p.microgenre_id = m.id
    left join listener_genres own on own.user_id = ${listener} and own.microgenre_id = m.id
    where m.retired_at is null
    order by lower(m.name)`
}
