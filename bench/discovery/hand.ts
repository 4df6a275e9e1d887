import type { SongChoice } from '../../contract/auth.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { learnTaste } from '../../server/discovery/taste/learnTaste.ts'
import { updateProfile } from '../../server/profiles/profile.ts'
import { type MadeMicrogenre, makeListener, makeMicrogenre } from '../../tests/factories.ts'
import { choice } from '../measure/goals.ts'
import type { Chooser } from './choosers.ts'
import type { Crowd } from './crowd.ts'

/** Listeners between two roll-ups. */
const ROLL_UP = 5

/** Listeners between two nights, in which tastes are learned. */
const DAY = 100

/** What all listeners have chosen (discover-70). */
const CHOICE = choice<SongChoice>('BENCH_CHOICE', ['both', 'liked', 'surprise', 'shuffle'])

/**
 * Lets a listener hear and rate songs of one microgenre in a single call. Songs that are not offered are marked as let
 * go, so that the pass skips them.
 */
const LISTEN = `
  create or replace function bench_listen(listener bigint, genre bigint, first_song bigint, verdicts text, most integer)
  returns table (song integer) language plpgsql set plan_cache_mode = force_generic_plan as $$
  declare
    playing bigint;
  begin
    insert into not_now (user_id, microgenre_id, song_id, pass, put_off_at, let_go_at)
    select listener, genre, first_song + n - 1, 1, now(), now()
    from generate_series(1, length(verdicts)) n where substr(verdicts, n, 1) = '-';
    select n.song_id into playing from next_songs_v3(listener, genre, 1) n;
    for turn in 1 .. most loop
      exit when playing is null;
      song := playing - first_song;
      return next;
      select r.next_song_id into playing
      from rate_song_v4(listener, genre, playing, substr(verdicts, song + 1, 1) = '1', 20, 'preview') r;
    end loop;
  end $$`

/** The product: its own functions deal the songs, store the ratings and count them. */
export async function dealFromHand(
  db: Database,
  crowd: Crowd,
  { most, before }: { most: number; before: number },
): Promise<Chooser> {
  await db.unsafe(LISTEN)
  // Of earlier crowds.
  await db`
    truncate not_now, ratings, listener_stats, listener_genres, listener_hands, song_traits, taste_runs`
  const other = crowd.elsewhere > 0 ? await makeMicrogenre(db, crowd.elsewhere) : null
  const genre = await makeMicrogenre(db, crowd.songs - crowd.elsewhere)
  const idOf = (song: number) => genre.songs[song - crowd.elsewhere] ?? ''
  /** Who come on this day, in order. */
  let today: string[] = []
  let listeners = 0

  async function hear(
    listener: string,
    { id, songs }: MadeMicrogenre,
    verdicts: string,
    songsAtMost: number,
  ) {
    const rows = await db<{ song: number }[]>`
      select song from bench_listen(${listener}, ${id}, ${songs[0] ?? ''}, ${verdicts}, ${songsAtMost})`
    return rows.map(({ song }) => song)
  }

  /** They heard the other microgenre the day before, and tastes were learned in the night. */
  async function beginDay() {
    today = []
    for (let n = 0; n < DAY; n++) {
      const listener = await makeListener(db)
      await updateProfile(db, listener, { songChoice: CHOICE })
      today.push(listener)
      if (!other) continue
      await hear(listener, other, crowd.verdictsOf(listeners + n).slice(0, crowd.elsewhere), before)
      if (n % ROLL_UP === 0) await rollUp(db)
    }
    await rollUp(db)
    await learnTaste(db)
  }

  return {
    async listen(verdicts) {
      if (listeners % DAY === 0) await beginDay()
      const listener = today[listeners % DAY] ?? ''
      const heard = await hear(listener, genre, verdicts.slice(crowd.elsewhere), most)
      listeners += 1
      if (listeners % ROLL_UP === 0) await rollUp(db)
      return heard.map((song) => crowd.elsewhere + song)
    },
    async push(song, accounts) {
      await rollUp(db)
      const ratings = await countDealt(db, idOf(song))
      for (let n = 0; n < accounts; n++)
        await db`
          select from rate_song_v4(${await makeListener(db)}, ${genre.id}, ${idOf(song)}, true, 20, 'preview')`
      await rollUp(db)
      if ((await countDealt(db, idOf(song))) !== ratings)
        throw new Error('A rating of a song that was not dealt counts for choosing (discover-51).')
      // As if each account had gone on until the song was dealt to it.
      await db`
        update song_totals set dealt_ratings = dealt_ratings + ${accounts}, dealt_bangers = dealt_bangers + ${accounts}
        where song_id = ${idOf(song)}`
      await db`
        update microgenre_totals set dealt_ratings = dealt_ratings + ${accounts},
          dealt_bangers = dealt_bangers + ${accounts}
        where microgenre_id = ${genre.id}`
    },
  }
}

async function countDealt(db: Database, song: string): Promise<number> {
  const [row] = await db<{ ratings: number }[]>`
    select dealt_ratings as ratings from song_totals where song_id = ${song}`
  return row?.ratings ?? 0
}
