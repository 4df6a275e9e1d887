import type { VideoSource } from '../../../contract/desk.ts'
import type { Database, Queryable } from '../../db/connection.ts'
import { isTaken } from '../../db/isTaken.ts'
import { type Judgement, SOURCES } from './judgeVideo.ts'

/** A video that was judged for a song. */
export interface Candidate {
  videoId: string
  source: VideoSource
  score: number
  refusal: Judgement['refusal'] | 'of another song' | 'not needed'
  detail: string | null
  title: string | null
  channel: string | null
  durationMs: number | null
}

/** Whether `songs s` lacks a video that plays. */
export const lacksVideo = (db: Queryable) => db`
  s.retired_at is null and (s.youtube_id is null or s.youtube_id is not distinct from s.blocked_video_id)`

/** Whether a person may decide about `video_candidates c`. Its index has the same words. */
export const isUndecided = (db: Queryable) => db`c.refusal in ('weak', 'regional', 'length differs')`

/** Whether `video_candidates c` may still become the video of `songs s`. */
export const isOffered = (db: Queryable) => db`
  ${lacksVideo(db)} and ${isUndecided(db)} and c.video_id is distinct from s.blocked_video_id
  and not exists (select from songs o where o.youtube_id = c.video_id)`

/**
 * Gives a song a video, unless it or another song has got it meanwhile, or a steward rejected it for the song
 * (catalogue-17). Returns whether it did.
 */
export async function takeVideo(db: Database, songId: string, taken: Candidate): Promise<boolean> {
  try {
    return await db.begin(async (tx) => {
      const [song] = await tx`
        select from songs s where s.id = ${songId} and ${lacksVideo(tx)}
          and not exists (select from songs o where o.youtube_id = ${taken.videoId})
          and not exists (select from video_candidates r
            where r.song_id = s.id and r.video_id = ${taken.videoId} and r.refusal = 'rejected')`
      if (!song) return false
      const given = await tx`
        update songs s set youtube_id = ${taken.videoId} where s.id = ${songId} and ${lacksVideo(tx)}`
      if (given.count === 0) return false
      await tx`
        insert into video_candidates as c
          (song_id, video_id, source, score, refusal, detail, title, channel, duration_ms)
        values (${songId}, ${taken.videoId}, ${taken.source}, ${taken.score}, null, ${taken.detail}, ${taken.title},
          ${taken.channel}, ${taken.durationMs})
        on conflict (song_id, video_id) do update set source = excluded.source, score = excluded.score, refusal = null,
          detail = excluded.detail, title = excluded.title, channel = excluded.channel,
          duration_ms = excluded.duration_ms, judged_at = now()`
      return true
    })
  } catch (error) {
    // Another process gave it to another song in the same moment.
    if (!isTaken(error, 'songs_youtube_id')) throw error
    return false
  }
}

/** The key of the song that has a video; null when none has. */
export async function findOwner(db: Database, videoId: string): Promise<string | null> {
  const [song] = await db<{ key: string }[]>`select key from songs where youtube_id = ${videoId}`
  return song?.key ?? null
}

/** Keeps the refused videos of a song, for the report and for people who decide. */
export async function keepRefused(db: Database, songId: string, refused: Candidate[]): Promise<void> {
  if (refused.length === 0) return
  const rows = refused.map((one) => ({
    ...one,
    title: one.title && storable(one.title),
    channel: one.channel && storable(one.channel),
  }))
  await db`
    insert into video_candidates as c
      (song_id, video_id, source, score, refusal, detail, title, channel, duration_ms)
    select ${songId}::bigint, "videoId", source, score, refusal, detail, title, channel, "durationMs"
    from jsonb_to_recordset(${db.json(rows)}) as i ("videoId" text, source text, score int, refusal text,
      detail text, title text, channel text, "durationMs" int)
    on conflict (song_id, video_id) do update set source = excluded.source, score = excluded.score,
      refusal = excluded.refusal, detail = excluded.detail, title = excluded.title, channel = excluded.channel,
      duration_ms = excluded.duration_ms, judged_at = now()
    -- Of several sources, the most trusted one counts. What a steward rejected stays rejected (catalogue-17).
    where c.refusal is distinct from 'rejected' and
      array_position(${[...SOURCES]}::text[], excluded.source) <= array_position(${[...SOURCES]}::text[], c.source)`
}

/** PostgreSQL stores no NUL. */
export const storable = (text: string) => text.replaceAll('\0', '').slice(0, 300)

/** From now on this connection reads and writes a temporary copy, for a dry run. */
export async function copyCandidates(db: Database): Promise<void> {
  await db`create temporary table video_candidates (like public.video_candidates including all)`
  await db`
    insert into video_candidates
      (song_id, video_id, source, score, refusal, detail, title, channel, duration_ms, judged_at)
    select song_id, video_id, source, score, refusal, detail, title, channel, duration_ms, judged_at
    from public.video_candidates`
}

export interface VideoState {
  songs: number
  withVideo: number
  /** Songs without a video that have one waiting at the desk. */
  undecided: number
  /** Songs without a video and without a recording: MusicBrainz and Wikidata cannot be asked about them. */
  unidentified: number
}

export async function countVideoState(db: Database): Promise<VideoState> {
  const [row] = await db<VideoState[]>`
    select count(*)::int as songs, count(*) filter (where not (${lacksVideo(db)}))::int as with_video,
      count(*) filter (where exists (
        select from video_candidates c where c.song_id = s.id and ${isOffered(db)}))::int as undecided,
      count(*) filter (where ${lacksVideo(db)} and s.recording_mbid is null)::int as unidentified
    from songs s where s.retired_at is null`
  if (!row) throw new Error('A count returned no row.')
  return row
}

const PAGE = 1000

/** Every judged video, as tab-separated lines with a header, in chunks. */
export async function* listCandidates(db: Database): AsyncGenerator<string> {
  yield 'key\tartist\ttitle\tvideo_id\tvideo_title\tchannel\tsource\tscore\tresult\tdetail\n'
  let after = '0'
  for (;;) {
    const rows = await db<Row[]>`
      select s.id, s.key, s.artist, s.title, c.video_id, coalesce(c.title, '') as video_title,
        coalesce(c.channel, '') as channel, c.source, c.score, coalesce(c.refusal, 'taken') as result,
        coalesce(c.detail, '') as detail
      from (select p.id, p.key, p.artist, p.title from songs p
            where p.id > ${after} and exists (select from video_candidates k where k.song_id = p.id)
            order by p.id limit ${PAGE}) as s
      join video_candidates c on c.song_id = s.id
      order by s.id, c.refusal is not null, c.score desc, c.video_id`
    if (rows.length === 0) return
    after = rows.at(-1)?.id ?? after
    yield rows.map(lineOf).join('')
  }
}

function lineOf(row: Row): string {
  const { key, artist, title, videoId, videoTitle, channel, source, score, result, detail } = row
  const cells = [key, artist, title, videoId, videoTitle, channel, source, score, result, detail]
  return `${cells.map((cell) => String(cell).replace(/\s+/g, ' ')).join('\t')}\n`
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
