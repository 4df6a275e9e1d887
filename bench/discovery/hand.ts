import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { listNextSongs } from '../../server/discovery/dealtSongs.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { learnTaste } from '../../server/taste/learnTaste.ts'
import { HEARD_PREVIEW, type MadeMicrogenre, makeListener, makeMicrogenre } from '../../tests/factories.ts'
import type { Crowd } from './crowd.ts'

/** The product, as it chooses songs for a crowd. */
export interface Hand {
  /** Lets a new listener with these verdicts hear songs, and returns them in order. */
  listen(verdicts: readonly boolean[]): Promise<number[]>
  /** Lets that many accounts push one song. */
  push(song: number, accounts: number): Promise<void>
}

/** Listeners between two roll-ups, and between two nights, in which tastes are learned. */
const ROLL_UP = 5
const LISTENERS_PER_DAY = 100

const env = readEnv({})

/** The product: its own functions deal `most` songs, store the ratings and count them. */
export async function dealFromHand(db: Database, crowd: Crowd, most: number, before: number): Promise<Hand> {
  // Of earlier crowds.
  await db`
    truncate not_now, ratings, listener_stats, listener_genres, listener_hands, song_traits, taste_runs`
  const other = crowd.elsewhere > 0 ? await makeMicrogenre(db, crowd.elsewhere) : null
  const genre = await makeMicrogenre(db, crowd.songs - crowd.elsewhere)
  /** The listeners of this day, in order. */
  let today: string[] = []
  let listeners = 0

  /** Hears and rates songs of a microgenre; returns their positions in it. */
  async function rateAsListener(
    listener: string,
    { id: microgenreId, songs }: MadeMicrogenre,
    verdicts: readonly boolean[],
    count: number,
  ): Promise<number[]> {
    const ratedPositions: number[] = []
    let songId = (await listNextSongs(db, env, listener, microgenreId, 1))[0]?.id
    while (songId !== undefined && ratedPositions.length < count) {
      const song = songs.indexOf(songId)
      ratedPositions.push(song)
      const rating = verdicts[song] ? 'banger' : 'bust'
      const { nextSong } = await rateSong(db, env, listener, {
        microgenreId,
        songId,
        rating,
        heard: HEARD_PREVIEW,
      })
      songId = nextSong?.id
    }
    return ratedPositions
  }

  /** They heard the other microgenre the day before, and tastes were learned in the night. */
  async function beginDay() {
    today = []
    for (let n = 0; n < LISTENERS_PER_DAY; n++) {
      const listener = await makeListener(db)
      today.push(listener)
      if (!other) continue
      await rateAsListener(listener, other, crowd.verdictsOf(listeners + n), before)
      if (n % ROLL_UP === 0) await rollUp(db)
    }
    await rollUp(db)
    await learnTaste(db)
  }

  return {
    async listen(verdicts) {
      if (listeners % LISTENERS_PER_DAY === 0) await beginDay()
      const listener = today[listeners % LISTENERS_PER_DAY] ?? ''
      const ratedPositions = await rateAsListener(listener, genre, verdicts.slice(crowd.elsewhere), most)
      listeners += 1
      if (listeners % ROLL_UP === 0) await rollUp(db)
      return ratedPositions.map((song) => crowd.elsewhere + song)
    },
    async push(song, accounts) {
      await rollUp(db)
      const songId = genre.songs[song - crowd.elsewhere] ?? ''
      const dealt = await countDealt(db, songId)
      const body = { microgenreId: genre.id, songId, rating: 'banger', heard: HEARD_PREVIEW } as const
      for (let n = 0; n < accounts; n++) await rateSong(db, env, await makeListener(db), body)
      await rollUp(db)
      if ((await countDealt(db, songId)) !== dealt)
        throw new Error('A rating of a song that was not dealt counts for choosing (discover-51).')
      // As if each account had continued until the song was dealt to it.
      await db`
        update song_totals set dealt_ratings = dealt_ratings + ${accounts}, dealt_bangers = dealt_bangers + ${accounts}
        where song_id = ${songId}`
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
