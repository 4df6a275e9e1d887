import type { Song } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'
import type { Named } from '../playback/matchScore.ts'

/** The fixed eight tracks of the playback diagnostic, so that two runs can be compared (diagnostics-14). */
export const SAMPLE_TRACKS: readonly Named[] = [
  { artist: 'Portishead', title: 'Glory Box' },
  { artist: 'Slowdive', title: 'Alison' },
  { artist: 'Massive Attack', title: 'Unfinished Sympathy' },
  { artist: 'Phuture', title: 'Acid Tracks' },
  { artist: 'Massive Attack', title: 'Teardrop' },
  { artist: 'Burial', title: 'Archangel' },
  { artist: 'Aphex Twin', title: 'Windowlicker' },
  { artist: 'My Bloody Valentine', title: 'Only Shallow' },
]

/** Songs of the working-preview test (diagnostics-15). */
const SAMPLE_SONGS = 4

/**
 * The sample songs of the catalogue, and the first one's microgenre. If the catalogue has none, the first songs of
 * its first microgenre. They do not count as heard.
 */
export async function readSamples(
  db: Database,
  env: Env,
): Promise<{ microgenre: { id: string; name: string } | null; songs: Song[] }> {
  const wanted = SAMPLE_TRACKS.slice(0, SAMPLE_SONGS)
  const rows = await db<SongRow[]>`
    with wanted as (
      select artist, title, place from jsonb_to_recordset(${db.json(
        wanted.map((track, place) => ({ ...track, place })),
      )}) as i (artist text, title text, place int)),
    first_genre as (
      select id from microgenres where live_song_count > 0 order by lower(name) limit 1)
    select ${songColumns(db)} from (
      select s.id, w.place from wanted w join songs s on s.artist = w.artist and s.title = w.title
      union all
      (select s.id, ${SAMPLE_SONGS} + s.seq from songs s join first_genre g on g.id = s.microgenre_id
       where s.retired_at is null order by s.seq limit ${SAMPLE_SONGS})
    ) as chosen
    join songs s on s.id = chosen.id and s.retired_at is null
    join microgenres m on m.id = s.microgenre_id
    order by chosen.place, s.id`
  const songs = [...new Map(rows.map((row) => [row.songId, toSong(row, env)])).values()].slice(
    0,
    SAMPLE_SONGS,
  )
  const [first] = songs
  return { microgenre: first ? { id: first.microgenreId, name: first.microgenre } : null, songs }
}
