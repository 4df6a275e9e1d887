import { withAdvisoryLock } from '../db/advisoryLocks.ts'
import type { Database } from '../db/connection.ts'

/** A listener bangs in a microgenre from this many bangers on (discover-46). */
export const MIN_BANGERS = 2

/** Two microgenres have an affinity from this many common listeners on. Fewer would reveal individuals. */
export const MIN_COMMON_LISTENERS = 10

/** The cost of a run is limited to the listeners who rated last, and the microgenres with most bangers of each. */
const MAX_RECENT_LISTENERS = 5000
const MAX_MICROGENRES_PER_LISTENER = 20

/** Affinities stored per microgenre, the highest first. */
const MAX_AFFINITIES = 50

/**
 * Computes the affinities of microgenres from the listeners' bangers (discover-46, discover-48). Unchanged rows are
 * not written. Does nothing while another process computes them.
 */
export async function computeAffinities(db: Database): Promise<void> {
  await withAdvisoryLock(
    db,
    'affinities',
    (tx) => tx`
      with recent as materialized (
        select user_id from listener_last_days order by day desc, user_id desc limit ${MAX_RECENT_LISTENERS}
      ), liked as materialized (
        select ranked.user_id, ranked.microgenre_id from (
          select g.user_id, g.microgenre_id,
            row_number() over (partition by g.user_id order by g.bangers desc, g.microgenre_id) as place
          from listener_genres g join recent on recent.user_id = g.user_id
          where g.bangers >= ${MIN_BANGERS}
        ) ranked
        where ranked.place <= ${MAX_MICROGENRES_PER_LISTENER}
      ), everybody as (
        select count(distinct user_id)::float8 as listeners from liked
      ), common as (
        select one.microgenre_id, other.microgenre_id as other_id, count(*) as listeners
        from liked one join liked other on other.user_id = one.user_id
        group by 1, 2 having count(*) >= ${MIN_COMMON_LISTENERS}
      ), measured as (
        select c.microgenre_id, c.other_id, c.listeners,
          c.listeners * everybody.listeners / (one.listeners * other.listeners) as lift,
          other.listeners / everybody.listeners as share
        from common c
        join common one on one.microgenre_id = c.microgenre_id and one.other_id = c.microgenre_id
        join common other on other.microgenre_id = c.other_id and other.other_id = c.other_id
        cross join everybody
      ), learned as (
        select microgenre_id, other_id, listeners, (ln(lift) / 2 + ln(share))::real as affinity,
          row_number() over (
            partition by microgenre_id order by microgenre_id = other_id desc, ln(lift) / 2 + ln(share) desc, other_id
          ) as place
        from measured where lift > 1 or microgenre_id = other_id
      ), best as (
        select microgenre_id, other_id, listeners, affinity from learned where place <= ${MAX_AFFINITIES + 1}
      ), forgotten as (
        delete from microgenre_affinities a where not exists (
          select from best b where b.microgenre_id = a.microgenre_id and b.other_id = a.other_id)
      )
      insert into microgenre_affinities as a (microgenre_id, other_id, listeners, affinity)
      select microgenre_id, other_id, listeners, affinity from best
      on conflict (microgenre_id, other_id) do update set
        listeners = excluded.listeners, affinity = excluded.affinity
      where (a.listeners, a.affinity) is distinct from (excluded.listeners, excluded.affinity)`,
  )
}
