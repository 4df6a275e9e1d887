import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'

interface Banger {
  title: string
  artist: string
}

/** Only this many of the listener's newest bangers are searched. */
const MAX_SEARCHED_BANGERS = 1000

/**
 * The listener's bangers, two at most, that best explain why a song was dealt by taste: those whose traits have the
 * greatest product with the song's (discover-65). Only ratings that the taste was learned from count.
 * @throws HttpError 404 for an unknown song.
 */
export async function explainSong(
  db: Database,
  listener: string,
  song: string,
): Promise<{ bangers: Banger[] }> {
  const bangers = await db<Banger[]>`
    select b.title, b.artist
    from listener_stats u
    join song_traits q on q.run = u.taste_run and q.song_id = ${song}
    cross join (
      select r.song_id from ratings r
      where r.user_id = ${listener} and r.rated_at > '-infinity' and r.banger and r.song_id <> ${song}
        and r.heard_source is not null and r.dealt_reason is not null
      order by r.rated_at desc limit ${MAX_SEARCHED_BANGERS}
    ) r
    join song_traits t on t.run = u.taste_run and t.song_id = r.song_id
    join songs b on b.id = r.song_id
    where u.user_id = ${listener} and t.t1 * q.t1 + t.t2 * q.t2 + t.t3 * q.t3 + t.t4 * q.t4 > 0 and (
      exists (
        select from listener_genres g join songs s on s.microgenre_id = g.microgenre_id
        where g.user_id = ${listener} and s.id = ${song} and g.ahead_reasons[array_position(g.ahead, s.id)] = 4
      ) or exists (
        select from ratings d where d.user_id = ${listener} and d.song_id = ${song} and d.dealt_reason = 4
      )
    )
    order by t.t1 * q.t1 + t.t2 * q.t2 + t.t3 * q.t3 + t.t4 * q.t4 desc, b.id limit 2`
  if (bangers.length === 0) {
    const [known] = await db`select from songs where id = ${song}`
    if (!known) throw new HttpError(404, 'There is no such song.')
  }
  return { bangers }
}
