import {
  type getCoverage,
  type MicrogenreCoverage,
  TREND_DAYS,
  type VideoChecks,
} from '../../contract/coverage.ts'
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
    videos: await readVideoChecks(db),
    microgenres,
  }
}

/** What checks and players say of the songs' videos (diagnostics-27). */
export async function readVideoChecks(db: Queryable): Promise<VideoChecks> {
  const days = db`${TREND_DAYS} * interval '1 day'`
  const [row] = await db<VideoChecks[]>`
    select v.*, d.* from (
      select count(*) filter (where not blocked and not checked)::int as unproven,
        count(*) filter (where not blocked and checked)::int as plays,
        count(*) filter (where blocked and not gone)::int as not_embeddable,
        count(*) filter (where blocked and gone)::int as gone,
        count(*) filter (where checked and checked_at > now() - ${days})::int as checked_lately
      from (
        select s.youtube_id is not distinct from s.blocked_video_id as blocked,
          s.youtube_id is not distinct from s.checked_video_id as checked, s.checked_at,
          exists (select from video_candidates c
                  where c.song_id = s.id and c.video_id = s.youtube_id and c.refusal = 'gone') as gone
        from songs s where s.youtube_id is not null and s.retired_at is null) as s
    ) as v, (
      select count(*) filter (where judged_at > now() - ${days})::int as died_lately,
        count(*) filter (where judged_at <= now() - ${days} and judged_at > now() - 2 * ${days})::int as died_before
      from video_candidates where refusal in ('gone', 'not embeddable')
    ) as d`
  if (!row) throw new Error('A count returned no row.')
  return row
}
