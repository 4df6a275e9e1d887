import type { Queryable } from '../../db/connection.ts'
import type { OwnIds } from '../oneSong.ts'
import { SOURCES } from './judgeVideo.ts'
import { isOffered, isUndecided, lacksVideo } from './videoCandidates.ts'

/* Judged videos that stewards decide about at the desk (desk-25). */

/** Of each song without a video the one that is offered first. */
export const offeredVideos = (db: Queryable) => db`
  select distinct on (c.song_id) c.id, c.judged_at
  from video_candidates c join songs s on s.id = c.song_id
  where ${isOffered(db)}
  order by c.song_id, array_position(${[...SOURCES]}::text[], c.source), c.score desc, c.id`

/** A judged video, and the song for which it was. */
export interface JudgedVideo extends OwnIds {
  songId: string
  title: string
  artist: string
  isRetired: boolean
  lacksVideo: boolean
  videoId: string
  refusal: string | null
  isUndecided: boolean
}

/** Locks the song first, as a run that takes a video does. Null for an unknown one. */
export async function lockJudged(tx: Queryable, id: string): Promise<JudgedVideo | null> {
  const [row] = await tx<JudgedVideo[]>`
    select s.id as song_id, s.title, s.artist, s.youtube_id, s.spotify_id, s.recording_mbid,
      s.retired_at is not null as is_retired, coalesce(${lacksVideo(tx)}, false) as lacks_video, c.video_id, c.refusal,
      coalesce(${isUndecided(tx)}, false) as is_undecided
    from songs s join video_candidates c on c.song_id = s.id
    where c.id = ${id} for update of s, c`
  return row ?? null
}

/** Null for the video that its song has; `rejected` keeps it from the song (catalogue-17). */
export async function setRefusal(tx: Queryable, id: string, refusal: string | null): Promise<void> {
  await tx`update video_candidates set refusal = ${refusal} where id = ${id}`
}
