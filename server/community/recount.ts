import { countLiveSongs } from '../catalogue/loadCatalogue.ts'
import { lockCatalogue } from '../catalogue/oneSong.ts'
import { LOCK_KEYS } from '../db/advisoryLocks.ts'
import type { Database, Transaction } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { SONG_DAYS } from './rollUp.ts'

const LISTENERS_PER_BATCH = 200

/** Rows that a recount corrected. */
export type Corrections = Record<
  'listeners' | 'follows' | 'songs' | 'days' | 'microgenres' | 'communities',
  number
>

/**
 * Corrects all totals that differ from what they count. The server may run: totals wait meanwhile, and what they have yet to
 * add is left out.
 */
export async function recount(db: Database): Promise<Corrections> {
  const listeners = await recountListeners(db)
  const follows = await recountFollows(db)
  const live = await db.begin(async (tx) => {
    await lockCatalogue(tx)
    return countLiveSongs(tx)
  })
  const totals = await db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`select pg_advisory_xact_lock(${LOCK_KEYS.rollUp})`
    // Songs are counted from the days.
    const days = await recountDays(tx)
    return {
      days,
      songs: await recountSongs(tx),
      microgenres: live + (await recountMicrogenres(tx)),
      communities: await recountCommunity(tx),
    }
  })
  return { listeners, follows, ...totals }
}

/** Each listener's own counters. Their lock keeps them from rating. */
async function recountListeners(db: Database): Promise<number> {
  const wrong = await db<{ userId: string }[]>`
    select s.user_id from listener_stats s
    left join (
      select user_id, count(*) as ratings, count(*) filter (where banger) as bangers,
        count(distinct microgenre_id) as genres
      from ratings group by user_id
    ) c on c.user_id = s.user_id
    where (s.total_ratings, s.total_bangers, s.genres_rated)
      <> (coalesce(c.ratings, 0), coalesce(c.bangers, 0), coalesce(c.genres, 0))
    union
    select g.user_id from listener_genres g
    left join (
      select user_id, microgenre_id, count(*) as ratings, count(*) filter (where banger) as bangers
      from ratings group by user_id, microgenre_id
    ) c on c.user_id = g.user_id and c.microgenre_id = g.microgenre_id
    where (g.ratings, g.bangers) <> (coalesce(c.ratings, 0), coalesce(c.bangers, 0))
    order by user_id`
  for (let from = 0; from < wrong.length; from += LISTENERS_PER_BATCH) {
    const ids = wrong.slice(from, from + LISTENERS_PER_BATCH).map(({ userId }) => userId)
    await db.begin(async (tx) => {
      await tx`select from listener_stats where user_id = any(${ids}::bigint[]) order by user_id for update`
      await tx`
        update listener_stats s
        set total_ratings = c.ratings, total_bangers = c.bangers, genres_rated = c.genres
        from (
          select l.user_id, count(r.song_id) as ratings, count(*) filter (where r.banger) as bangers,
            count(distinct r.microgenre_id) as genres
          from listener_stats l left join ratings r on r.user_id = l.user_id
          where l.user_id = any(${ids}::bigint[]) group by l.user_id
        ) c where s.user_id = c.user_id`
      await tx`
        update listener_genres g set ratings = c.ratings, bangers = c.bangers
        from (
          select l.user_id, l.microgenre_id, count(r.song_id) as ratings, count(*) filter (where r.banger) as bangers
          from listener_genres l
          left join ratings r on r.user_id = l.user_id and r.microgenre_id = l.microgenre_id
          where l.user_id = any(${ids}::bigint[]) group by l.user_id, l.microgenre_id
        ) c where g.user_id = c.user_id and g.microgenre_id = c.microgenre_id`
    })
  }
  return wrong.length
}

/** Whom each listener follows, and who follows them. Follows wait only while wrong counts are corrected. */
async function recountFollows(db: Database): Promise<number> {
  const wrong = await db<{ userId: string }[]>`
    select user_id from (
      select user_id, sum(followers) as followers, sum(following) as following from (
        select followed_id as user_id, 1 as followers, 0 as following from follows
        union all select follower_id, 0, 1 from follows) one
      group by user_id
    ) c full join follow_counts f using (user_id)
    where (c.followers, c.following) is distinct from (f.followers, f.following)`
  const ids = wrong.map(({ userId }) => userId)
  if (ids.length > 0)
    await db.begin(async (tx) => {
      await tx`lock table follows in share row exclusive mode`
      await tx`delete from follow_counts where user_id = any(${ids}::bigint[])`
      await tx`
        insert into follow_counts (user_id, followers, following)
        select id, followers, following from unnest(${ids}::bigint[]) as listener (id), lateral (
          select (select count(*) from follows where followed_id = id) as followers,
            (select count(*) from follows where follower_id = id) as following) counted
        where followers + following > 0`
    })
  return ids.length
}

/** The ratings, less the changes that the roll-up has yet to add. `step` is 1, or -1 for what counts off. */
const added = (tx: Transaction) => tx`(
  select user_id, song_id, microgenre_id, banger, heard_source is not null as heard,
    heard_source is not null and dealt_reason is not null as dealt, (${functions}.counted_at(pass, rated_at) at time zone 'UTC')::date as day, 1 as step
  from ratings
  union all
  select user_id, song_id, microgenre_id, old_banger, coalesce(old_heard, false), coalesce(old_dealt, false),
    (old_rated_at at time zone 'UTC')::date, 1
  from rating_changes where old_banger is not null
  union all
  select user_id, song_id, microgenre_id, new_banger, coalesce(new_heard, false), coalesce(new_dealt, false),
    (new_rated_at at time zone 'UTC')::date, -1
  from rating_changes where new_banger is not null) added`

async function recountSongs(tx: Transaction): Promise<number> {
  const { count } = await tx`
    with counted as materialized (
      select song_id, sum(step) as ratings, sum(step) filter (where banger) as bangers,
        sum(step) filter (where heard) as heard, sum(step) filter (where heard and banger) as heard_bangers,
        sum(step) filter (where dealt) as dealt, sum(step) filter (where dealt and banger) as dealt_bangers
      from ${added(tx)} group by song_id having sum(step) <> 0
    ), recent as materialized (
      select d.song_id, sum(d.bangers) as bangers from song_days d cross join community_totals c
      where (d.day, d.song_id) > (c.day - 30, c.songs_gone) group by d.song_id
    )
    insert into song_totals as t (song_id, ratings, bangers, heard_ratings, heard_bangers, dealt_ratings, dealt_bangers,
      recent_bangers)
    select song_id, coalesce(c.ratings, 0), coalesce(c.bangers, 0), coalesce(c.heard, 0), coalesce(c.heard_bangers, 0),
      coalesce(c.dealt, 0), coalesce(c.dealt_bangers, 0), coalesce(r.bangers, 0)
    from counted c full join song_totals s using (song_id) left join recent r using (song_id)
    on conflict (song_id) do update set (ratings, bangers, heard_ratings, heard_bangers, dealt_ratings, dealt_bangers,
      recent_bangers) = (excluded.ratings, excluded.bangers, excluded.heard_ratings, excluded.heard_bangers,
      excluded.dealt_ratings, excluded.dealt_bangers, excluded.recent_bangers)
    where (t.ratings, t.bangers, t.heard_ratings, t.heard_bangers, t.dealt_ratings, t.dealt_bangers, t.recent_bangers)
      <> (excluded.ratings, excluded.bangers, excluded.heard_ratings, excluded.heard_bangers, excluded.dealt_ratings,
      excluded.dealt_bangers, excluded.recent_bangers)`
  return count
}

/** The days of the 30-day window, and those into which it may go back. */
async function recountDays(tx: Transaction): Promise<number> {
  const { count } = await tx`
    with counted as materialized (
      select song_id, day, sum(step) as ratings, coalesce(sum(step) filter (where banger), 0) as bangers
      from ${added(tx)} where day > (now() at time zone 'UTC')::date - ${SONG_DAYS}::int group by song_id, day
      having sum(step) <> 0
    )
    insert into song_days as t (song_id, day, ratings, bangers)
    select song_id, day, coalesce(c.ratings, 0), coalesce(c.bangers, 0)
    from counted c full join (
      select * from song_days where day > (now() at time zone 'UTC')::date - ${SONG_DAYS}::int) d
      using (song_id, day)
    on conflict (day, song_id) do update set ratings = excluded.ratings, bangers = excluded.bangers
    where (t.ratings, t.bangers) <> (excluded.ratings, excluded.bangers)`
  return count
}

async function recountMicrogenres(tx: Transaction): Promise<number> {
  const { count } = await tx`
    with counted as materialized (
      select microgenre_id, sum(step) as ratings, sum(step) filter (where banger) as bangers,
        sum(step) filter (where dealt) as dealt, sum(step) filter (where dealt and banger) as dealt_bangers
      from ${added(tx)} group by microgenre_id having sum(step) <> 0
    )
    insert into microgenre_totals as t (microgenre_id, ratings, bangers, dealt_ratings, dealt_bangers)
    select microgenre_id, coalesce(c.ratings, 0), coalesce(c.bangers, 0), coalesce(c.dealt, 0), coalesce(c.dealt_bangers, 0)
    from counted c full join microgenre_totals s using (microgenre_id)
    on conflict (microgenre_id) do update set (ratings, bangers, dealt_ratings, dealt_bangers)
      = (excluded.ratings, excluded.bangers, excluded.dealt_ratings, excluded.dealt_bangers)
    where (t.ratings, t.bangers, t.dealt_ratings, t.dealt_bangers)
      <> (excluded.ratings, excluded.bangers, excluded.dealt_ratings, excluded.dealt_bangers)`
  return count
}

async function recountCommunity(tx: Transaction): Promise<number> {
  const { count } = await tx`
    with counted as materialized (
      select coalesce(sum(ratings), 0) as ratings, coalesce(sum(bangers), 0) as bangers from microgenre_totals
    ), active as materialized (
      select count(*) as listeners from listener_last_days l cross join community_totals c
      where (l.day, l.user_id) > (c.day - 30, c.listeners_gone)
    )
    update community_totals t set ratings = c.ratings, bangers = c.bangers, active_users = a.listeners
    from counted c cross join active a
    where (t.ratings, t.bangers, t.active_users) <> (c.ratings, c.bangers, a.listeners)`
  return count
}
