import type { Database } from '../../server/db/connection.ts'
import { makeWords, pick } from '../measure/listeners.ts'

export interface Size {
  songs: number
  ratings: number
}

/** Microgenres, ratings per listener, and the days over which ratings are spread. */
const GENRES = 20
const RATINGS_PER_LISTENER = 100
const DAYS_OF_RATINGS = 60

/** Listeners whose ratings one statement writes. */
const LISTENERS_PER_BATCH = 5000

/** Of titles, artists and people, as unevenly frequent as real ones. */
const WORDS = makeWords(6000, 1)
const NAMES = makeWords(4000, 2)

/**
 * Songs, listeners, ratings and totals as after years of use, written by SQL inside the database. At any size, a
 * listener has rated 50 songs of each of two microgenres. `db` is one connection without a timeout.
 */
export async function fillDatabase(db: Database, size: Size): Promise<void> {
  const songs = size.songs / GENRES
  const listeners = size.ratings / RATINGS_PER_LISTENER
  await db`
    insert into microgenres
      (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
    select 'growth-' || g, 'Growth ' || g, 'Growth', 'Songs of a bench.', '#4ecdc4', '{}', '{}', '{}', '{}',
      ${songs}::int, ${songs}::int
    from generate_series(0, ${GENRES - 1}::int) g`
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, year, youtube_id)
    select 'growth/' || g || '/' || n, 'import', m.id, n,
      (select initcap(string_agg(${pick(db, WORDS)}, ' ')) from generate_series(1, 2 + n % 4)),
      initcap(${pick(db, NAMES)}) || case when n % 3 > 0 then ' ' || initcap(${pick(db, WORDS)}) else '' end,
      1970 + n % 50, 'g' || lpad((g * ${songs}::bigint + n)::text, 10, '0')
    from generate_series(0, ${GENRES - 1}::int) g
    join microgenres m on m.key = 'growth-' || g
    cross join generate_series(0, ${songs - 1}::int) n
    order by g, n`
  await db`
    insert into users (email, first_name, last_name, is_public, follower_count)
    select 'growth-' || n || '@example.test', initcap(${pick(db, NAMES)}), initcap(${pick(db, NAMES)}), n % 3 = 0,
      n % 17
    from generate_series(0, ${listeners - 1}::int) n order by n`
  await db`
    insert into follow_counts (user_id, followers, following)
    select id, follower_count, 0 from users where follower_count > 0`

  for (let from = 0; from < listeners; from += LISTENERS_PER_BATCH)
    await writeRatings(db, songs, from, Math.min(from + LISTENERS_PER_BATCH, listeners) - 1)
  await countTotals(db)
  await db`vacuum analyze`
  await db`checkpoint`
}

async function writeRatings(db: Database, songs: number, from: number, to: number): Promise<void> {
  await db`
    with first as (
      select (select min(id) from users where email like 'growth-%') as listener,
        (select min(s.id) from songs s join microgenres m on m.id = s.microgenre_id where m.key like 'growth-%') as song,
        (select min(id) from microgenres where key like 'growth-%') as genre
    )
    insert into ratings (user_id, song_id, microgenre_id, banger, pass, rated_at)
    select first.listener + l, first.song + spot.genre * ${songs}::bigint + spot.seq, first.genre + spot.genre,
      (l * 31 + k * 17) % 5 < 3, 1,
      now() - ((l * 31 + k * 7) % ${DAYS_OF_RATINGS}::int) * interval '1 day' - k * interval '1 minute'
    from first, generate_series(${from}::bigint, ${to}::bigint) l, generate_series(0, ${RATINGS_PER_LISTENER - 1}::int) k,
      lateral (select (l * 7 + k / 50) % ${GENRES}::int as genre,
        -- Coprime to the number of songs, so no song comes twice.
        (l * 48271 + (k % 50) * 997) % ${songs}::bigint as seq) spot
    order by 1, 2`
}

/** The counts that the roll-up and the rating path would have stored. */
async function countTotals(db: Database): Promise<void> {
  await db`
    insert into listener_stats (user_id, total_ratings, total_bangers, streak, genres_rated)
    select user_id, count(*), count(*) filter (where banger), count(*), count(distinct microgenre_id)
    from ratings group by user_id`
  await db`
    insert into listener_genres (user_id, microgenre_id, ratings, bangers, done, pass_seed, pass_size)
    select user_id, microgenre_id, count(*), count(*) filter (where banger), count(*), 1, m.song_count
    from ratings join microgenres m on m.id = microgenre_id group by user_id, microgenre_id, m.song_count`
  // A whole hand each.
  await db`
    insert into listener_hands (user_id, microgenre_id, pass, dealt, songs)
    select g.user_id, g.microgenre_id, 1, 55, cards.songs
    from listener_genres g
    join (select microgenre_id, array_agg(id order by seq) as songs from songs where seq < 64 group by 1) cards
      using (microgenre_id)`
  await db`
    insert into song_days (song_id, day, ratings, bangers)
    select song_id, (rated_at at time zone 'UTC')::date, count(*), count(*) filter (where banger)
    from ratings group by 2, 1`
  await db`
    insert into song_totals
      (song_id, ratings, bangers, dealt_ratings, dealt_bangers, recent_bangers, last_banger_at)
    select song_id, count(*), count(*) filter (where banger), count(*), count(*) filter (where banger),
      count(*) filter (where banger and (rated_at at time zone 'UTC')::date >= (now() at time zone 'UTC')::date - 29),
      max(rated_at) filter (where banger)
    from ratings group by song_id`
  await db`
    insert into microgenre_totals (microgenre_id, ratings, bangers, dealt_ratings, dealt_bangers)
    select microgenre_id, count(*), count(*) filter (where banger), count(*), count(*) filter (where banger)
    from ratings group by microgenre_id`
  await db`
    insert into listener_last_days (user_id, day)
    select user_id, (max(rated_at) at time zone 'UTC')::date from ratings group by user_id`
  await db`
    update community_totals set day = (now() at time zone 'UTC')::date,
      ratings = (select sum(ratings) from microgenre_totals),
      bangers = (select sum(bangers) from microgenre_totals),
      active_users = (select count(*) from listener_last_days where day >= (now() at time zone 'UTC')::date - 29)`
}
