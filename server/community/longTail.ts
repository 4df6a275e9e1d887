import {
  type getLongTail,
  type LongTail,
  MIN_TAIL_SONGS,
  type MicrogenreTail,
  NEW_SONG_DAYS,
} from '../../contract/community.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { MIN_LISTENERS } from '../../contract/shapes.ts'
import { withAdvisoryLock } from '../db/advisoryLocks.ts'
import type { Database } from '../db/connection.ts'

/**
 * Counts how evenly songs are heard (community-20) from the roll-up's totals, not from ratings. A song heard by five
 * listeners proves that its microgenre has five (community-22). Microgenre 0 stands for all others together.
 */
export async function countLongTail(db: Database): Promise<void> {
  await withAdvisoryLock(db, 'longTail', async (tx) => {
    await tx`
      create temporary table counted on commit drop as
      with heard as (
        select s.microgenre_id, s.created_at > now() - ${NEW_SONG_DAYS} * interval '1 day' as is_new,
          coalesce(t.heard_ratings, 0) as plays, count(*) over genre as songs, max(t.heard_ratings) over genre as most
        from songs s
        join microgenres m on m.id = s.microgenre_id and m.retired_at is null
        left join song_totals t on t.song_id = s.id
        where s.retired_at is null
        window genre as (partition by s.microgenre_id)
      ), ranked as (
        select part.microgenre_id, heard.plays, heard.is_new,
          row_number() over (partition by part.microgenre_id order by heard.plays) as place,
          count(*) over (partition by part.microgenre_id) as songs
        from heard cross join lateral (values (heard.microgenre_id), (0)) as part (microgenre_id)
        where heard.songs >= ${MIN_TAIL_SONGS} and heard.most >= ${MIN_LISTENERS}
      )
      select microgenre_id, count(*) as songs, sum(plays) as plays,
        sum(plays) filter (where place <= songs / 2) as half_plays,
        count(*) filter (where plays < 5) as little_heard,
        count(*) filter (where plays < 5 and is_new) as little_heard_new,
        count(*) filter (where plays = 0) as never_heard
      from ranked group by microgenre_id`
    await tx`
      delete from long_tail l where not exists (
        select from counted c where c.microgenre_id = l.microgenre_id)`
    await tx`
      insert into long_tail (microgenre_id, songs, plays, half_plays, little_heard, little_heard_new, never_heard,
        counted_at)
      select microgenre_id, songs, plays, half_plays, little_heard, little_heard_new, never_heard, now()
      from counted
      on conflict (microgenre_id) do update set
        songs = excluded.songs, plays = excluded.plays, half_plays = excluded.half_plays,
        little_heard = excluded.little_heard, little_heard_new = excluded.little_heard_new,
        never_heard = excluded.never_heard, counted_at = excluded.counted_at`
  })
}

/** The latest figures, in the order of community-24. */
export async function readLongTail(db: Database): Promise<ResponseOf<typeof getLongTail>> {
  const [all] = await db<(LongTail & { countedAt: Date })[]>`
    select songs, plays::float8, half_plays::float8, little_heard, little_heard_new, never_heard, counted_at
    from long_tail where microgenre_id = 0`
  const microgenres = await db<MicrogenreTail[]>`
    select m.name as microgenre, m.color, l.songs, l.plays::float8, l.half_plays::float8, l.little_heard,
      l.little_heard_new, l.never_heard
    from long_tail l join microgenres m on m.id = l.microgenre_id and m.retired_at is null
    order by l.half_plays::float8 / l.plays, l.little_heard::float8 / l.songs desc, lower(m.name)`
  const withoutFigures = await db<{ name: string }[]>`
    select m.name from microgenres m
    where m.retired_at is null and m.live_song_count > 0
      and not exists (select from long_tail l where l.microgenre_id = m.id)
    order by lower(m.name)`
  return {
    all: all ? { ...all, countedAt: all.countedAt.toISOString() } : null,
    microgenres,
    withoutFigures: withoutFigures.map(({ name }) => name),
  }
}
