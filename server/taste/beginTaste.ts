import type { Queryable } from '../db/connection.ts'
import { DIMENSIONS, LISTENER_RIDGE, MAX_TRAIT } from './factors.ts'

/** The most played ones; more say little more. */
const MAX_KNOWN_SONGS = 300

/**
 * Gives a listener without a taste one of the songs that imports say they play (imports-25): each moves it one step, as a
 * banger would (rating_steps), the most played one last. Returns whether it did. The caller holds the listener's lock.
 */
export async function beginTaste(tx: Queryable, listener: string): Promise<boolean> {
  const songs = await tx<{ run: number; surplus: number; traits: number[] }[]>`
    select q.run, 1 - q.share - u.lenience as surplus, array[q.t1, q.t2, q.t3, q.t4] as traits
    from known_songs k
    join listener_stats u on u.user_id = k.user_id and u.taste_run is null
    join song_traits q on q.song_id = k.song_id and q.run = (select max(run) from song_traits)
    where k.user_id = ${listener}
    order by k.plays desc, k.song_id limit ${MAX_KNOWN_SONGS}`
  const [first] = songs
  if (!first) return false
  let taste = Array<number>(DIMENSIONS).fill(0)
  for (const { surplus, traits } of songs.toReversed()) {
    const step = (surplus - product(traits, taste)) / (LISTENER_RIDGE + product(traits, traits))
    taste = taste.map((value, n) =>
      Math.max(-MAX_TRAIT, Math.min(MAX_TRAIT, value + step * (traits[n] ?? 0))),
    )
  }
  const [t1 = 0, t2 = 0, t3 = 0, t4 = 0] = taste
  await tx`
    update listener_stats set taste_run = ${first.run}, t1 = ${t1}, t2 = ${t2}, t3 = ${t3}, t4 = ${t4}
    where user_id = ${listener}`
  return true
}

const product = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0)
