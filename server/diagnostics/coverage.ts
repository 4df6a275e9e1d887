import type { getCoverage, MicrogenreCoverage } from '../../contract/coverage.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import type { Queryable } from '../db/connection.ts'

/** What is known about songs, by microgenre and in total (diagnostics-25). Reads songs and totals, never ratings. */
export async function readCoverage(db: Queryable): Promise<ResponseOf<typeof getCoverage>> {
  const microgenres = await db<MicrogenreCoverage[]>`
    select m.name as microgenre, count(s.id)::int as songs, count(s.recording_mbid)::int as identified,
      count(s.youtube_id) filter (where s.blocked_video_id is distinct from s.youtube_id)::int as with_video,
      count(s.deezer_track_id)::int as with_preview, count(s.spotify_id)::int as with_spotify,
      count(s.id) filter (where coalesce(t.heard_ratings, 0) = 0)::int as heard_by_nobody
    from microgenres m
    left join songs s on s.microgenre_id = m.id and s.retired_at is null
    left join song_totals t on t.song_id = s.id
    where m.retired_at is null
    group by m.id order by lower(m.name)`
  const sum = (of: Exclude<keyof MicrogenreCoverage, 'microgenre'>) =>
    microgenres.reduce((total, row) => total + row[of], 0)
  return {
    all: {
      songs: sum('songs'),
      identified: sum('identified'),
      withVideo: sum('withVideo'),
      withPreview: sum('withPreview'),
      withSpotify: sum('withSpotify'),
      heardByNobody: sum('heardByNobody'),
    },
    microgenres,
  }
}
