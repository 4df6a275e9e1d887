import type { VisitorSong } from '../../contract/visitors.ts'
import type { Fragment, Queryable } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'

export type VisitorSongRow = SongRow & { microgenreKey: string }

/** Of `songs s` and `microgenres m`. */
export const visitorSongColumns = (db: Queryable) => db`${songColumns(db)}, m.key as microgenre_key`

export function toVisitorSong(row: VisitorSongRow, env: Env): VisitorSong {
  const { microgenre, color, ...song } = toSong(row, env)
  const { id, title, artist, albumArt, youtubeId, youtubeBlocked, audio } = song
  return {
    ...{ id, title, artist, albumArt, youtubeId, youtubeBlocked, audio },
    microgenre: { key: row.microgenreKey, name: microgenre, color },
  }
}

/** Whether the song `s` surely plays, as far as is known. */
export const playsSurely = (db: Queryable) => db`(s.retired_at is null and (
  s.youtube_id is not null and s.youtube_id is distinct from s.blocked_video_id
  or s.audio is not null and s.audio->>'url' is distinct from s.blocked_audio_url
  or s.deezer_track_id is not null))`

/** Places of the order in which songs are looked for. */
const MAX_PLACES = 1000

/**
 * Up to `max` songs `s`, with their `place`, of each of `microgenres m`, in the order of `seed`. Each song is looked up by
 * its place: a sort, or a join, would read the whole microgenre.
 */
export const shuffledSongs = (db: Queryable, seed: number, max: number, condition: Fragment) => db`
  lateral (
    select one.*, p.place
    from (select generate_series(0, least(m.song_count, ${MAX_PLACES}::int) - 1) as place) p
    cross join lateral (
      select s.* from songs s
      where s.microgenre_id = m.id and s.seq = ${functions}.song_at_place(${seed}::int, m.song_count, p.place)
        and ${condition}
      limit 1) one
    limit ${max}) s`

/** The first `max` songs of each of these microgenres, in an order that changes every day. */
export async function listSongsOfDay(
  db: Queryable,
  env: Env,
  keys: readonly string[],
  max: number,
): Promise<VisitorSong[]> {
  const day = Math.floor(Date.now() / 86_400_000)
  const rows = await db<VisitorSongRow[]>`
    select ${visitorSongColumns(db)} from microgenres m
    cross join ${shuffledSongs(db, day, max, db`s.retired_at is null`)}
    where m.key = any(${keys as string[]}) and m.retired_at is null
    order by s.place, m.id`
  return rows.map((row) => toVisitorSong(row, env))
}
