import type { MappedMicrogenre } from '../../contract/discovery.ts'
import { withAdvisoryLock } from '../db/advisoryLocks.ts'
import type { Database } from '../db/connection.ts'
import { layOutMap } from './layOutMap.ts'
import { type Affinity, computeNearness, findNearest } from './mapNearness.ts'
import type { DescribedMicrogenre, RelatedMicrogenre } from './recommend.ts'

/**
 * Lays out the map of microgenres once per UTC day, and again when a microgenre is new (discover-80, discover-81).
 * Does nothing while another process does.
 */
export async function drawMap(db: Database, now = new Date(), signal?: AbortSignal): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  await withAdvisoryLock(db, 'map', async (tx) => {
    const retired = await tx<{ id: string }[]>`
      select p.microgenre_id as id from microgenre_places p
      left join microgenres m on m.id = p.microgenre_id and m.retired_at is null
      where m.id is null`
    await tx`delete from microgenre_places where microgenre_id = any(${retired.map(({ id }) => id)}::bigint[])`
    const microgenres = await tx<MicrogenrePosition[]>`
      select m.id, m.key, m.name, m.family, m.energy, m.vocals, m.familiarity, m.mood, m.relatives, p.x, p.y,
        p.drawn_on::text, p.near is not null as has_near
      from microgenres m left join microgenre_places p on p.microgenre_id = m.id
      where m.retired_at is null
      order by m.family, m.key`
    if (microgenres.every(({ drawnOn, hasNear }) => drawnOn === today && hasNear)) return
    const affinities = await tx<Affinity[]>`
      select microgenre_id, other_id, listeners, affinity from microgenre_affinities
      order by microgenre_id, other_id`
    const nearness = computeNearness(microgenres, affinities)
    // The version before knows no relatives; from its map, places would take weeks.
    const isOld = microgenres.every(({ hasNear }) => !hasNear)
    const places = await layOutMap(
      nearness,
      microgenres.map(({ x, y }) => (isOld || x === null || y === null ? null : { x, y })),
      signal,
    )
    const near = nearness.map((_, i) =>
      findNearest(nearness, i)
        .flatMap((j) => microgenres[j]?.id ?? [])
        .join(),
    )
    await tx`
      insert into microgenre_places (microgenre_id, x, y, near, drawn_on)
      select id, x, y, string_to_array(near, ',')::bigint[], ${today}::date
      from unnest(${microgenres.map(({ id }) => id)}::bigint[], ${places.map(({ x }) => x)}::float8[],
        ${places.map(({ y }) => y)}::float8[], ${near}::text[]) as drawn (id, x, y, near)
      on conflict (microgenre_id) do update set
        x = excluded.x, y = excluded.y, near = excluded.near, drawn_on = excluded.drawn_on`
  })
}

interface MicrogenrePosition extends DescribedMicrogenre, RelatedMicrogenre {
  id: string
  x: number | null
  y: number | null
  drawnOn: string | null
  hasNear: boolean
}

/** The microgenres on the map by name, with the listener's own figures (discover-82). */
export async function readMap(db: Database, listener: string): Promise<MappedMicrogenre[]> {
  return db<MappedMicrogenre[]>`
    select m.id, m.name, m.family, m.description, m.color, m.live_song_count as song_count, p.x, p.y,
      coalesce(p.near, '{}') as near, coalesce(own.ratings, 0) as ratings, coalesce(own.bangers, 0) as bangers
    from microgenres m
    join microgenre_places p on p.microgenre_id = m.id
    left join listener_genres own on own.user_id = ${listener} and own.microgenre_id = m.id
    where m.retired_at is null
    order by lower(m.name)`
}
