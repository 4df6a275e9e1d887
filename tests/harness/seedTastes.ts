import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { hashNumber } from '../../server/taste/heardRatings.ts'
import { type MadeMicrogenre, makeListener, makeMicrogenre } from '../factories.ts'

export interface SeededTastes {
  genres: MadeMicrogenre[]
  songs: string[]
  /** Listeners with an even index like songs with an even index; the others like the other songs. */
  listeners: string[]
}

const RATINGS_PER_LISTENER = 30

/** A number from 0 to 1, the same for the same arguments. */
const randomFrom = (...numbers: number[]) =>
  numbers.reduce((sum, each) => hashNumber(sum + each), 7) / 2 ** 32

/**
 * Listeners of two tastes, in several microgenres. Each rated 30 songs that had been dealt and heard; of those they
 * like two of three are bangers, of the others one of six.
 */
export async function seedTastes(
  db: Database,
  { listeners: count = 400, seed = 1 } = {},
): Promise<SeededTastes> {
  const genres = [await makeMicrogenre(db, 30), await makeMicrogenre(db, 29), await makeMicrogenre(db, 1)]
  const songs = genres.flatMap((genre) => genre.songs)
  const listeners: string[] = []
  const rows: [user: string, song: string, banger: boolean][] = []
  for (let place = 0; place < count; place++) {
    const listener = await makeListener(db)
    listeners.push(listener)
    songs
      .map((song, at) => ({ song, at, lot: randomFrom(seed, place, at) }))
      .sort((one, other) => one.lot - other.lot)
      .slice(0, RATINGS_PER_LISTENER)
      .forEach(({ song, at }) => {
        const share = (at + place) % 2 === 0 ? 2 / 3 : 1 / 6
        rows.push([listener, song, randomFrom(seed, place, at, 1) < share])
      })
  }
  await writeHeardRatings(db, rows)
  return { genres, songs, listeners }
}

/** Writes ratings of songs that had been dealt and heard, and everything that counts them. */
export async function writeHeardRatings(
  db: Database,
  rows: readonly [user: string, song: string, banger: boolean][],
): Promise<void> {
  const [users, songs, bangers] = [
    rows.map(([user]) => user),
    rows.map(([, song]) => song),
    rows.map((row) => row[2]),
  ]
  await db.begin(async (tx) => {
    await tx`
      insert into ratings (user_id, song_id, microgenre_id, banger, pass, rated_at, heard_seconds, heard_source,
        dealt_number, dealt_reason)
      select input.listener, s.id, s.microgenre_id, input.banger, 1, now() - input.place * interval '1 millisecond', 20,
        'preview', input.place, 1
      from unnest(${users}::bigint[], ${songs}::bigint[], ${bangers}::boolean[]) with ordinality
        as input (listener, song, banger, place)
      join songs s on s.id = input.song`
    await tx`
      insert into rating_changes (user_id, song_id, microgenre_id, new_banger, new_rated_at, new_heard, new_dealt)
      select user_id, song_id, microgenre_id, banger, rated_at, true, true from ratings
      where user_id = any(${[...new Set(users)]}::bigint[])`
    await tx`
      update listener_stats s set total_ratings = counted.ratings, total_bangers = counted.bangers
      from (select user_id, count(*) as ratings, count(*) filter (where banger) as bangers
        from ratings group by user_id) counted
      where s.user_id = counted.user_id`
  })
  await rollUp(db)
}

/** How much a listener's taste adds to each song, without a limit. */
export async function tasteOf(db: Database, listener: string, songs: readonly string[]): Promise<number[]> {
  const rows = await db<{ taste: number }[]>`
    select coalesce(q.t1 * u.t1 + q.t2 * u.t2 + q.t3 * u.t3 + q.t4 * u.t4, 0) as taste
    from unnest(${songs}::bigint[]) with ordinality as input (song, place)
    left join listener_stats u on u.user_id = ${listener}
    left join song_traits q on q.song_id = input.song and q.run = u.taste_run
    order by input.place`
  return rows.map(({ taste }) => taste)
}
