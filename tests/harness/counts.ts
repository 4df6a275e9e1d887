import type { Database } from '../../server/db/connection.ts'
import { hasCitus } from '../../server/db/distribute.ts'
import { functions } from '../../server/db/functions.ts'
import type { MadeMicrogenre } from '../factories.ts'

/** Every stored count; `counted` computes the same from the ratings. */
export async function readStoredCounts(db: Database) {
  return {
    listeners: await db`
      select user_id, total_ratings, total_bangers, genres_rated from listener_stats
      where total_ratings <> 0 or total_bangers <> 0 or genres_rated <> 0 order by user_id`.values(),
    listenerGenres: await db`
      select user_id, microgenre_id, ratings, bangers from listener_genres
      where ratings <> 0 or bangers <> 0 order by 1, 2`.values(),
    done: await db`select user_id, microgenre_id, done from listener_genres where done <> 0 order by 1, 2`.values(),
    songs: await db`
      select song_id, ratings, bangers, recent_bangers, heard_ratings, heard_bangers, dealt_ratings, dealt_bangers
      from song_totals
      where ratings <> 0 or bangers <> 0 or recent_bangers <> 0 or heard_ratings <> 0 or heard_bangers <> 0
        or dealt_ratings <> 0 or dealt_bangers <> 0
      order by 1`.values(),
    songDays: await db`
      select song_id, day::text, ratings, bangers from song_days
      where ratings <> 0 or bangers <> 0 order by 1, 2`.values(),
    microgenres: await db`
      select microgenre_id, ratings, bangers, dealt_ratings, dealt_bangers from microgenre_totals
      where ratings <> 0 or bangers <> 0 or dealt_ratings <> 0 or dealt_bangers <> 0 order by 1`.values(),
    community: await db`select ratings::int, bangers::int, active_users from community_totals`.values(),
    queue: await db`select count(*)::int from rating_changes`.values(),
  }
}

export async function countFromRatings(db: Database) {
  return {
    listeners: await db`
      select user_id, count(*)::int, count(*) filter (where banger)::int, count(distinct microgenre_id)::int
      from ratings group by user_id order by user_id`.values(),
    listenerGenres: await db`
      select user_id, microgenre_id, count(*)::int, count(*) filter (where banger)::int
      from ratings group by 1, 2 order by 1, 2`.values(),
    done: await db`
      select user_id, microgenre_id, count(*)::int from (
        select r.user_id, r.microgenre_id from ratings r
        join listener_genres g on g.user_id = r.user_id and g.microgenre_id = r.microgenre_id and g.pass = r.pass
        union all
        select n.user_id, n.microgenre_id from not_now n
        join listener_genres g on g.user_id = n.user_id and g.microgenre_id = n.microgenre_id and g.pass = n.pass
        left join ratings r on r.user_id = n.user_id and r.song_id = n.song_id and r.pass = n.pass
        where n.let_go_at is not null and r.song_id is null
      ) done group by 1, 2 order by 1, 2`.values(),
    songs: await db`
      select song_id, count(*)::int, count(*) filter (where banger)::int,
        count(*) filter (where banger and pass > 0 and (rated_at at time zone 'UTC')::date
          >= (now() at time zone 'UTC')::date - 29)::int,
        count(heard_source)::int, (count(heard_source) filter (where banger))::int,
        (count(heard_source) filter (where dealt_reason is not null))::int,
        (count(heard_source) filter (where dealt_reason is not null and banger))::int
      from ratings group by 1 order by 1`.values(),
    songDays: await db`
      select song_id, ((rated_at at time zone 'UTC')::date)::text, count(*)::int,
        count(*) filter (where banger)::int
      from ratings where pass > 0 group by 1, 2 order by 1, 2`.values(),
    microgenres: await db`
      select microgenre_id, count(*)::int, count(*) filter (where banger)::int,
        (count(heard_source) filter (where dealt_reason is not null))::int,
        (count(heard_source) filter (where dealt_reason is not null and banger))::int
      from ratings group by 1 order by 1`.values(),
    community: await db`
      select count(*)::int, count(*) filter (where banger)::int,
        count(distinct user_id) filter (where pass > 0 and (rated_at at time zone 'UTC')::date
          >= (now() at time zone 'UTC')::date - 29)::int
      from ratings`.values(),
    queue: [[0]],
  }
}

/**
 * Live songs that their pass has drawn, and that are neither in the hand, dealt, rated nor deferred: they would never
 * come.
 */
export async function findSkippedSongs(
  db: Database,
  firstListener = 0,
  lastListener = Number.MAX_SAFE_INTEGER,
) {
  return db`
    select g.user_id, s.id as song_id
    from listener_genres g join songs s on s.microgenre_id = g.microgenre_id
    left join listener_hands h
      on h.user_id = g.user_id and h.microgenre_id = g.microgenre_id and h.pass = g.pass
    where s.retired_at is null and g.user_id between ${firstListener} and ${lastListener}
      and ${functions}.place_of_song(g.pass_seed, g.pass_size, s.seq) < g.pass_position
      and s.id <> all (g.ahead || coalesce(h.songs, '{}'))
      and not exists (select from ratings r
                      where r.user_id = g.user_id and r.song_id = s.id and r.pass = g.pass)
      and not exists (select from not_now n
                      where n.user_id = g.user_id and n.song_id = s.id and n.pass = g.pass)`.values()
}

interface BrokenHand {
  userId: string
  microgenreId: string
  /** A song twice, lists of different lengths, or dealt songs that are not in order. */
  isTorn: boolean
  /** A dealt number that no song has, as after a dealt song was retired, or that two have. */
  hasGaps: boolean
}

/** Hands of the current passes that are not whole (discover-49). */
export async function brokenHands(db: Database, firstListener = 0, lastListener = Number.MAX_SAFE_INTEGER) {
  const isOf = db`user_id between ${firstListener} and ${lastListener}`
  // On a cluster the rows come to one node, which compares them.
  const gathered = db`
    with listener_genres as materialized (select * from listener_genres where ${isOf}),
      listener_hands as materialized (select * from listener_hands where ${isOf}),
      ratings as materialized (select * from ratings where ${isOf}),
      not_now as materialized (select * from not_now where ${isOf})`
  return db<BrokenHand[]>`
    ${(await hasCitus(db)) ? gathered : db``}
    select * from (
      select g.user_id, g.microgenre_id,
        cardinality(g.ahead) <> cardinality(g.ahead_numbers) or cardinality(g.ahead) <> cardinality(g.ahead_reasons)
          or g.ahead_numbers <> array(select n from unnest(g.ahead_numbers) n order by n)
          or cardinality(cards.songs) <> (select count(distinct card) from unnest(cards.songs) card) as is_torn,
        array(select d.number from (
          select a.song_id, a.number from unnest(g.ahead, g.ahead_numbers, g.ahead_reasons) as a (song_id, number, reason)
          where a.reason is not null
          union
          select r.song_id, r.dealt_number from ratings r
          where r.user_id = g.user_id and r.microgenre_id = g.microgenre_id and r.pass = g.pass
            and r.dealt_reason is not null
          union
          select n.song_id, n.dealt_number from not_now n
          where n.user_id = g.user_id and n.microgenre_id = g.microgenre_id and n.pass = g.pass
            and n.dealt_reason is not null
        ) d order by d.number)
          <> array(select n::float8 from generate_series(1, coalesce(h.dealt, 0)) n) as has_gaps
      from listener_genres g
      left join listener_hands h
        on h.user_id = g.user_id and h.microgenre_id = g.microgenre_id and h.pass = g.pass
      cross join lateral (select g.ahead || coalesce(h.songs, '{}') as songs) cards
      where g.${isOf}
    ) hands
    where is_torn or has_gaps`
}

export interface KnownTotals {
  ratings: number
  bangers: number
}

/** Writes the totals by which a microgenre's songs are chosen, in the order of the songs. */
export async function writeTotals(
  db: Database,
  genre: { id: string; songs: readonly string[] },
  totals: readonly KnownTotals[],
): Promise<void> {
  await db`
    insert into song_totals as t (song_id, dealt_ratings, dealt_bangers)
    select * from unnest(${genre.songs}::bigint[], ${totals.map(({ ratings }) => ratings)}::int[],
      ${totals.map(({ bangers }) => bangers)}::int[])
    on conflict (song_id) do update set
      dealt_ratings = excluded.dealt_ratings, dealt_bangers = excluded.dealt_bangers`
  await db`
    insert into microgenre_totals as t (microgenre_id, dealt_ratings, dealt_bangers)
    select ${genre.id}::bigint, sum(t.dealt_ratings), sum(t.dealt_bangers) from song_totals t
    where t.song_id = any(${genre.songs}::bigint[])
    on conflict (microgenre_id) do update set
      dealt_ratings = excluded.dealt_ratings, dealt_bangers = excluded.dealt_bangers`
}

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
