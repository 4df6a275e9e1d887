import type { Transaction } from '../db/connection.ts'
import { addSong, type FileSong } from './fileSong.ts'
import type { Match } from './matchSongs.ts'

/** Songs of a heap that an import keeps, loves first, then those played most. The catalogue bounds those that are known. */
const MAX_SONGS = 50_000

/** Adds those songs that have a match to those of the import, from the place after `places`. Returns how many rows it wrote. */
export async function addSongs(
  tx: Transaction,
  importId: string,
  places: number,
  songs: FileSong[],
  matches: (Match | null)[],
): Promise<number> {
  const sums = new Map<string, FileSong & Match>()
  for (const [n, song] of songs.entries()) {
    const match = matches[n]
    // Several entries can be one song of the catalogue.
    const key = match?.heap === 'known' ? `#${match.songId}` : song.key
    if (match) addSong(sums, { ...song, ...match, key })
  }
  const rows = [...sums.values()]
  // Not as one JSON text: large ones cost 100 MiB of memory.
  const column = (name: keyof (FileSong & Match)) => rows.map((row) => row[name]) as (string | null)[]
  await tx`
    insert into import_songs as s (import_id, place, heap, key, title, artist, isrc, recording_mbid, spotify_id,
      youtube_id, microgenre, verdict, rated_at, plays, song_id)
    select ${importId}::bigint, ${places}::int + v.place, v.heap, v.key, v.title, v.artist, v.isrc, v.recording_mbid,
      v.spotify_id, v.youtube_id, v.microgenre, v.verdict, v.rated_at, v.plays, v.song_id
    from unnest(${column('heap')}::text[], ${column('key')}::text[],
      ${column('title')}::text[], ${column('artist')}::text[], ${column('isrc')}::text[],
      ${column('recordingMbid')}::text[], ${column('spotifyId')}::text[], ${column('youtubeId')}::text[],
      ${column('microgenre')}::text[],
      ${rows.map(({ verdict }) => verdict && verdict === 'banger')}::boolean[],
      ${rows.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[], ${rows.map(({ plays }) => plays)}::int[],
      ${column('songId')}::bigint[])
      with ordinality v (heap, key, title, artist, isrc, recording_mbid, spotify_id, youtube_id, microgenre, verdict,
        rated_at, plays, song_id, place)
    on conflict (import_id, key) do update set
      plays = least(s.plays::bigint + excluded.plays, 2000000000),
      isrc = coalesce(s.isrc, excluded.isrc), recording_mbid = coalesce(s.recording_mbid, excluded.recording_mbid),
      spotify_id = coalesce(s.spotify_id, excluded.spotify_id), youtube_id = coalesce(s.youtube_id, excluded.youtube_id),
      microgenre = coalesce(s.microgenre, excluded.microgenre),
      (verdict, rated_at) = (
        select case when is_newer then excluded.verdict else s.verdict end,
          case when is_newer then excluded.rated_at when excluded.verdict = s.verdict
            then least(s.rated_at, excluded.rated_at) else s.rated_at end
        from (select excluded.verdict is not null and (s.verdict is null or s.verdict <> excluded.verdict
          and coalesce(excluded.rated_at, '-infinity') > coalesce(s.rated_at, '-infinity')) as is_newer) n)`
  return rows.length
}

/** Deletes the songs of each heap beyond `max`. Returns how many. */
export async function trimSongs(tx: Transaction, importId: string, max = MAX_SONGS): Promise<number> {
  let left = 0
  for (const heap of ['doubtful', 'unknown']) {
    const { count } = await tx`
      delete from import_songs where import_id = ${importId} and heap = ${heap}
        and (verdict is null, -plays, place) > (
          select verdict is null, -plays, place from import_songs where import_id = ${importId} and heap = ${heap}
          order by verdict is null, -plays, place limit 1 offset ${max - 1}::int)`
    left += count
  }
  return left
}
