import type { Queryable } from '../db/connection.ts'

/**
 * Awards what a listener's counters reach and no rating awarded, as announced already (imports-26). A streak is never
 * reached by an import. Returns the ids.
 */
export async function awardReached(tx: Queryable, listener: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    insert into achievements (user_id, type, scope, metadata, announced_at)
    select r.user_id, r.type, r.scope,
      case when m.name is null then '{}' else jsonb_build_object('microgenreName', m.name) end, now()
    from (${reached(tx, listener)}) r left join microgenres m on m.id = r.scope
    where r.count >= r.threshold
    on conflict do nothing returning id`
  return rows.map(({ id }) => id)
}

/** Withdraws those of these achievements that the listener's counters do not reach. Returns the ids of the others. */
export async function withdrawUnreached(
  tx: Queryable,
  listener: string,
  ids: readonly string[],
): Promise<string[]> {
  await tx`
    delete from achievements a where a.user_id = ${listener} and a.id = any(${ids}::bigint[]) and not exists (
      select from (${reached(tx, listener)}) r
      where r.type = a.type and r.scope = a.scope and r.count >= r.threshold)`
  const rows = await tx<{ id: string }[]>`
    select id from achievements where user_id = ${listener} and id = any(${ids}::bigint[])`
  return rows.map(({ id }) => id)
}

const reached = (tx: Queryable, listener: string) => tx`
  select s.user_id, rule.type, 0::bigint as scope, rule.threshold,
    case rule.counter when 'bangers' then s.total_bangers when 'ratings' then s.total_ratings
      when 'genres' then s.genres_rated end as count
  from listener_stats s cross join achievement_rules rule where s.user_id = ${listener}
  union all
  select g.user_id, rule.type, g.microgenre_id, rule.threshold, g.bangers
  from listener_genres g join achievement_rules rule on rule.counter = 'genre_bangers'
  where g.user_id = ${listener}`
