import type { Database } from '../db/connection.ts'
import { type VisitorSongRow, visitorSongColumns } from '../visitors/visitorSong.ts'

/** Those of the songs that the listener has rated and that are not retired, in the order of `songIds`. */
export const readRatedSongs = (db: Database, listener: string, songIds: string[]) => db<
  (VisitorSongRow & { banger: boolean })[]
>`
  select ${visitorSongColumns(db)}, r.banger
  from ratings r
  join songs s on s.id = r.song_id and s.retired_at is null
  join microgenres m on m.id = s.microgenre_id and m.retired_at is null
  where r.user_id = ${listener} and r.song_id = any(${songIds}::bigint[])
  order by array_position(${songIds}::bigint[], r.song_id)`
