import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'

interface Banger {
  title: string
  artist: string
}

/** A listener's newest bangers among which those are searched that speak for a song. */
const MOST = 1000

/**
 * The listener's bangers, two at most, that speak most for a song that was dealt because of the taste: those whose four
 * numbers have the greatest product with the song's (discover-65). Only ratings that the taste was learned from count.
 * @throws HttpError 404 for an unknown song.
 */
export async function whySong(db: Database, listener: string, song: string): Promise<{ bangers: Banger[] }> {
  const rows = await db<{ title: string | null; artist: string | null }[]>`
    select why.title, why.artist
    from songs s
    left join lateral (
      select b.title, b.artist
      from listener_stats u
      join song_traits q on q.run = u.taste_run and q.song_id = s.id
      cross join lateral (
        select r.song_id from ratings r
        where r.user_id = u.user_id and r.rated_at > '-infinity' and r.banger and r.song_id <> s.id
          and r.heard_source is not null and r.dealt_reason is not null
        order by r.rated_at desc limit ${MOST}
      ) r
      join song_traits t on t.run = u.taste_run and t.song_id = r.song_id
      join songs b on b.id = r.song_id
      cross join lateral (select t.t1 * q.t1 + t.t2 * q.t2 + t.t3 * q.t3 + t.t4 * q.t4 as product) p
      where u.user_id = ${listener} and p.product > 0 and (
        exists (
          select from listener_genres g where g.user_id = u.user_id and g.microgenre_id = s.microgenre_id
            and g.ahead_reasons[array_position(g.ahead, s.id)] = 4
        ) or exists (
          select from ratings d where d.user_id = u.user_id and d.song_id = s.id and d.dealt_reason = 4
        )
      )
      order by p.product desc, b.id limit 2
    ) why on true
    where s.id = ${song}`
  if (rows.length === 0) throw new HttpError(404, 'There is no such song.')
  return { bangers: rows.flatMap(({ title, artist }) => (title && artist ? { title, artist } : [])) }
}
