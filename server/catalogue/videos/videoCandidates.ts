import type { VideoSource } from '../../../contract/desk.ts'
import type { Database, Queryable } from '../../db/connection.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import { readPages } from '../askServices.ts'
import type { UniqueIds } from '../oneSong.ts'
import { type Judgement, VIDEO_SOURCES } from './judgeVideo.ts'

export interface VideoCandidate {
  videoId: string
  source: VideoSource
  score: number
  refusal: Judgement['refusal'] | 'of another song' | 'not needed' | CheckedVideo['refusal']
  detail: string | null
  title: string | null
  channel: string | null
  durationMs: number | null
}

/** Days after which a video is checked again (catalogue-19). */
export const CHECK_AGAIN_DAYS = 30

/** Why a video cannot be a song's; null for one that plays. */
export function toRefusal({ embeddable, exists, isRegional, problem }: VideoFacts) {
  const death = exists ? ('not embeddable' as const) : ('gone' as const)
  return { refusal: embeddable ? (isRegional ? ('regional' as const) : null) : death, detail: problem }
}

/** Whether a check found the video of `video_candidates d` dead. */
export const isDead = (db: Queryable) => db`d.refusal in ('gone', 'not embeddable')`

const isFree = (db: Queryable) => db`not exists (select from songs o where o.youtube_id = c.video_id)`

/** Whether `video_candidates c` waits until its song's video is dead. */
export const isWaiting = (db: Queryable) => db`c.refusal = 'not needed' and ${isFree(db)}`

/** Whether `songs s` lacks a video that plays. */
export const lacksVideo = (db: Queryable) => db`
  s.retired_at is null and (s.youtube_id is null or s.youtube_id is not distinct from s.blocked_video_id)`

/** Whether a steward may decide about `video_candidates c`. Must match the table's partial index. */
const isUndecided = (db: Queryable) => db`c.refusal in ('weak', 'regional', 'length differs')`

/** Whether `video_candidates c` can still become the video of `songs s`. */
const canBeOffered = (db: Queryable) => db`
  ${lacksVideo(db)} and ${isUndecided(db)} and c.video_id is distinct from s.blocked_video_id
  and ${isFree(db)}`

/**
 * Gives a song a video, unless it has one meanwhile, another song has this one, or a steward rejected it
 * (catalogue-17). Returns whether it did. Of a video that gives way, remembers that it failed.
 */
export async function claimVideo(db: Database, songId: string, candidate: VideoCandidate): Promise<boolean> {
  try {
    return await db.begin(async (tx) => {
      const [song] = await tx<{ youtubeId: string | null }[]>`
        select s.youtube_id from songs s where s.id = ${songId} and ${lacksVideo(tx)}
          and not exists (select from songs o where o.youtube_id = ${candidate.videoId})
          and not exists (select from video_candidates r
            where r.song_id = s.id and r.video_id = ${candidate.videoId} and r.refusal = 'rejected')`
      if (!song) return false
      const updated = await tx`
        update songs s set youtube_id = ${candidate.videoId} where s.id = ${songId} and ${lacksVideo(tx)}`
      if (updated.count === 0) return false
      await storeJudgements(tx, songId, [{ ...candidate, refusal: null }])
      if (song.youtubeId !== null)
        await tx`
          insert into video_candidates as c (song_id, video_id, source, score, refusal, detail)
          values (${songId}, ${song.youtubeId}, 'catalogue', 0, 'unplayable', 'It failed for listeners.')
          on conflict (song_id, video_id) do update set refusal = excluded.refusal, detail = excluded.detail
          where c.refusal is null or c.refusal = 'not needed'`
      return true
    })
  } catch (error) {
    // Another process gave it to another song at the same moment.
    if (!isUniqueViolation(error, 'songs_youtube_id')) throw error
    return false
  }
}

/**
 * The first video for each of these songs that lacks one, among those that wait or may work again, without those that were
 * just asked about.
 */
export const readNextVideos = (db: Queryable, songIds: string[], asked: string[]) => db<
  (VideoCandidate & { songId: string })[]
>`
  select distinct on (s.id) s.id as song_id, c.video_id, c.source, c.score, c.refusal, c.detail, c.title, c.channel,
    c.duration_ms
  from songs s join video_candidates c on c.song_id = s.id
  where s.id = any(${songIds}::bigint[]) and ${lacksVideo(db)} and ${isFree(db)} and c.video_id <> all(${asked})
    and (c.refusal = 'not needed' or c.refusal in ('gone', 'not embeddable')
      and c.judged_at < now() - ${CHECK_AGAIN_DAYS} * interval '1 day')
  order by s.id, array_position(${[...VIDEO_SOURCES]}::text[], c.source), c.score desc, c.id`

/** Stores that these videos of songs were checked (catalogue-19). */
export async function storeChecked(db: Queryable, videoIds: string[]): Promise<void> {
  await db`
    update songs set checked_video_id = youtube_id, checked_at = now() where youtube_id = any(${videoIds})`
}

interface CheckedVideo {
  songId: string
  videoId: string
  refusal: ReturnType<typeof toRefusal>['refusal']
  detail: string | null
}

/** Stores why videos cannot be a song's, and since when. */
export async function storeRefusals(db: Queryable, checked: CheckedVideo[]): Promise<void> {
  await db`
    insert into video_candidates as d (song_id, video_id, source, score, refusal, detail)
    select "songId", "videoId", 'catalogue', 0, refusal, detail
    from jsonb_to_recordset(${db.json(checked)}) as i
      ("songId" bigint, "videoId" text, refusal text, detail text)
    on conflict (song_id, video_id) do update
      set refusal = excluded.refusal, detail = excluded.detail, judged_at = now()
    where d.refusal is distinct from excluded.refusal`
}

/** The key of the song that has a video; null when none has. */
export async function findVideoOwner(db: Database, videoId: string): Promise<string | null> {
  const [song] = await db<{ key: string }[]>`select key from songs where youtube_id = ${videoId}`
  return song?.key ?? null
}

/** Stores the judgements of a song's videos, for the report and for stewards. */
export async function storeJudgements(
  db: Queryable,
  songId: string,
  judged: VideoCandidate[],
): Promise<void> {
  if (judged.length === 0) return
  await db`
    insert into video_candidates as c
      (song_id, video_id, source, score, refusal, detail, title, channel, duration_ms)
    select ${songId}::bigint, "videoId", source, score, refusal, detail, title, channel, "durationMs"
    from jsonb_to_recordset(${db.json(judged)}) as i ("videoId" text, source text, score int, refusal text,
      detail text, title text, channel text, "durationMs" int)
    on conflict (song_id, video_id) do update set source = excluded.source, score = excluded.score,
      refusal = excluded.refusal, detail = excluded.detail, title = excluded.title, channel = excluded.channel,
      duration_ms = excluded.duration_ms, judged_at = now()
    -- Of several sources, the most trusted one counts. What a steward rejected stays rejected (catalogue-17).
    where excluded.refusal is null or c.refusal is distinct from 'rejected' and
      array_position(${[...VIDEO_SOURCES]}::text[], excluded.source) <= array_position(${[...VIDEO_SOURCES]}::text[], c.source)`
}

interface VideoState {
  songs: number
  withVideo: number
  /** Songs without a video that have a candidate at the desk. */
  undecided: number
  /** Songs without a video or recording: MusicBrainz and Wikidata cannot be asked about them. */
  unidentified: number
}

export async function countVideoState(db: Database): Promise<VideoState> {
  const [row] = await db<VideoState[]>`
    select count(*)::int as songs, count(*) filter (where not (${lacksVideo(db)}))::int as with_video,
      count(*) filter (where exists (
        select from video_candidates c where c.song_id = s.id and ${canBeOffered(db)}))::int as undecided,
      count(*) filter (where ${lacksVideo(db)} and s.recording_mbid is null)::int as unidentified
    from songs s where s.retired_at is null`
  if (!row) throw new Error('A count returned no row.')
  return row
}

const PAGE_SIZE = 1000

/** Every judged video, in pages. */
export async function* listVideoCandidates(db: Database): AsyncGenerator<(string | number)[][]> {
  const pages = readPages(
    (after) => db<Row[]>`
      select s.id, s.key, s.artist, s.title, c.video_id, coalesce(c.title, '') as video_title,
        coalesce(c.channel, '') as channel, c.source, c.score, coalesce(c.refusal, 'taken') as result,
        coalesce(c.detail, '') as detail
      from (select p.id, p.key, p.artist, p.title from songs p
            where p.id > ${after} and exists (select from video_candidates k where k.song_id = p.id)
            order by p.id limit ${PAGE_SIZE}) as s
      join video_candidates c on c.song_id = s.id
      order by s.id, c.refusal is not null, c.score desc, c.video_id`,
  )
  for await (const rows of pages) yield rows.map(({ id, ...row }) => Object.values(row))
}

interface Row {
  id: string
  key: string
  artist: string
  title: string
  videoId: string
  videoTitle: string
  channel: string
  source: string
  score: number
  result: string
  detail: string
}

/* Judged videos that stewards decide about (desk-25). */

/** The first candidate of each song without a video. */
export const offeredVideos = (db: Queryable) => db`
  select distinct on (c.song_id) c.id, c.judged_at
  from video_candidates c join songs s on s.id = c.song_id
  where ${canBeOffered(db)}
  order by c.song_id, array_position(${[...VIDEO_SOURCES]}::text[], c.source), c.score desc, c.id`

/** A judged video and its song. */
export interface JudgedVideo extends UniqueIds {
  songId: string
  title: string
  artist: string
  isRetired: boolean
  lacksVideo: boolean
  videoId: string
  refusal: string | null
  isUndecided: boolean
}

/** Locks the song first, as `claimVideo` does. Null for an unknown candidate. */
export async function lockJudgedVideo(tx: Queryable, id: string): Promise<JudgedVideo | null> {
  const [row] = await tx<JudgedVideo[]>`
    select s.id as song_id, s.title, s.artist, s.youtube_id, s.spotify_id, s.recording_mbid,
      s.retired_at is not null as is_retired, coalesce(${lacksVideo(tx)}, false) as lacks_video, c.video_id, c.refusal,
      coalesce(${isUndecided(tx)}, false) as is_undecided
    from songs s join video_candidates c on c.song_id = s.id
    where c.id = ${id} for update of s, c`
  return row ?? null
}

/** Stores why a video was refused: null when the song has it, `rejected` when a steward refused it (catalogue-17). */
export async function setVideoRefusal(tx: Queryable, id: string, refusal: string | null): Promise<void> {
  await tx`update video_candidates set refusal = ${refusal} where id = ${id}`
}
