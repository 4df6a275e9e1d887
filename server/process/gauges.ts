import type { Database } from '../db/connection.ts'
import type { Gauges } from '../http/metrics.ts'

/** The queue is counted up to this length; longer ones are equally alarming. */
const MAX_COUNTED_CHANGES = 100_000

/** Database gauges for the metrics. */
export async function readGauges(db: Database): Promise<Gauges> {
  // By a statement of its own, because on a cluster the queue is on the workers.
  const waiting = db<{ changes: number }[]>`
    select count(*)::int as changes from (select user_id from rating_changes limit ${MAX_COUNTED_CHANGES}) waiting`
  const [row] = await db<
    (Omit<Gauges, 'ratings' | 'ratingChangesWaiting'> & { bangers: number; busts: number })[]
  >`
    select c.bangers::float8, (c.ratings - c.bangers)::float8 as busts,
      (select count(*)::int from feedback where mailed_at is null) as feedback_waiting,
      (select coalesce(json_object_agg(state, connections), '{}') from (
         select coalesce(state, 'unknown') as state, count(*)::int as connections from pg_stat_activity
         where application_name = 'banger-or-bust' and datname = current_database() group by 1) states) as connections,
      (select json_build_object('age', extract(epoch from now() - started_at), 'bytes', bytes)
       from backups where bytes is not null order by run desc limit 1) as backup,
      (select extract(epoch from now() - max(proven_at))::float8 from backups) as backup_proof_age
    from community_totals c`
  const {
    bangers = 0,
    busts = 0,
    ...rest
  } = row ?? {
    feedbackWaiting: 0,
    connections: {},
    backup: null,
    backupProofAge: null,
  }
  const [{ changes } = { changes: 0 }] = await waiting
  return { ratings: { banger: bangers, bust: busts }, ratingChangesWaiting: changes, ...rest }
}
