import type { Queryable } from '../db/connection.ts'
import type { CandidateSong } from './catalogueSongs.ts'
import { songKey } from './songKey.ts'

interface OpenSuggestion {
  id: string
  /** Listeners who ask for it. */
  votes: number
}

/** The open suggestion of a song, by title and artist or by one of its ids. */
export async function findOpenSuggestion(db: Queryable, song: CandidateSong): Promise<OpenSuggestion | null> {
  const key = songKey(song.artist, song.title)
  const [row] = await db<OpenSuggestion[]>`
    select g.id, coalesce((select count(*) from suggestion_votes v
      where v.suggestion_id = g.id and v.withdrawn_at is null), 0)::int as votes
    from suggestions g
    where g.state = 'waiting' and (g.song_key = ${key} or g.youtube_id = ${song.youtubeId ?? null}
      or g.spotify_id = ${song.spotifyId ?? null} or g.deezer_track_id = ${song.deezerTrackId ?? null}
      or g.recording_mbid = ${song.recordingMbid ?? null})
    order by g.song_key = ${key} desc, g.id limit 1`
  return row ?? null
}
