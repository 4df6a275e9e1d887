import type { SongHealth } from '../../contract/diagnostics.ts'
import { type PlaybackReport, VIDEO_FAULTS } from '../../contract/playback.ts'
import type { Database } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'
import { HttpError } from '../http/HttpError.ts'
import type { VideoAnswer } from '../integrations/video.ts'
import type { Youtube } from '../integrations/youtube.ts'

/** A video is blocked from this weight and share (in thirds) of faults on, among its latest reports. */
const BLOCK_THRESHOLD = { minWeight: 3, minThirds: 2, sampleSize: 20 }

const REPORT_DAYS = 30

/**
 * The account's age in days from which a report has half and full weight. Age makes attacks with free accounts
 * expensive.
 */
const ACCOUNT_DAYS = { halfWeight: 1, fullWeight: 7 }

/** More faults of one listener probably come from the browser, network or country. */
const MAX_FAULTS_PER_DAY = 10

const LIST_SIZE = 50

/**
 * Stores the latest outcome per listener and song, and blocks videos that fail for several listeners
 * (docs/decisions/0009). Ignores unknown songs, and videos that a song no longer has.
 */
export async function storeReports(
  db: Database,
  listener: string,
  reports: readonly PlaybackReport[],
): Promise<void> {
  const rows = reports.map((report, place) => ({ ...report, place }))
  await db`
    insert into playback_reports as p (song_id, user_id, video_id, outcome, preview_used)
    select distinct on (s.id) s.id, ${listener}, s.youtube_id, i.outcome, i."previewUsed"
    from jsonb_to_recordset(${db.json(rows)}) as i
      ("songId" bigint, "videoId" text, outcome text, "previewUsed" boolean, place int)
    join songs s on s.id = i."songId" and s.youtube_id = i."videoId"
    -- A listener whose account is gone gets no new rows.
    where exists (select from listener_stats l where l.user_id = ${listener} for key share)
    order by s.id, i.place desc
    on conflict (song_id, user_id) do update set
      -- A player without an outcome overrides none.
      outcome = case when excluded.outcome = 'preview' and p.video_id = excluded.video_id
        then p.outcome else excluded.outcome end,
      video_id = excluded.video_id, preview_used = excluded.preview_used, reported_at = now()`
  const suspects = reports.filter(({ outcome }) => VIDEO_FAULTS.includes(outcome)).map(({ songId }) => songId)
  // After the commit, so that the later of two concurrent calls counts both.
  if (suspects.length > 0) await blockFailingVideos(db, suspects)
}

export const sweepReports = (db: Database, signal?: AbortSignal): Promise<void> =>
  inBatches(
    signal,
    (rows) => db`
      delete from playback_reports where (song_id, user_id) in (
        select song_id, user_id from playback_reports
        where reported_at <= now() - ${REPORT_DAYS} * interval '1 day' order by reported_at limit ${rows})`,
  )

/** Accounts created in the same hour count once, by the highest weight. */
async function blockFailingVideos(db: Database, songIds: readonly string[]): Promise<void> {
  const failing = await db<{ id: string; video: string }[]>`
    select s.id, s.youtube_id as video from songs s
    where s.youtube_id is not null and s.id = any(${songIds as string[]}::bigint[]) and s.blocked_video_id is distinct from s.youtube_id and (
      select sum(weight) filter (where is_fault) >= ${BLOCK_THRESHOLD.minWeight}
        and sum(weight) filter (where is_fault) * 3 >= sum(weight) * ${BLOCK_THRESHOLD.minThirds}
      from (
        select is_fault, max(weight) as weight from (
          select r.outcome = any(${VIDEO_FAULTS as string[]}) as is_fault, u.created_at,
            case when u.created_at > now() - ${ACCOUNT_DAYS.fullWeight} * interval '1 day' then 0.5 else 1 end as weight
          from playback_reports r join users u on u.id = r.user_id
          where r.song_id = s.id and r.video_id = s.youtube_id and r.outcome <> 'preview'
            and r.reported_at > now() - ${REPORT_DAYS} * interval '1 day'
            and u.created_at <= now() - ${ACCOUNT_DAYS.halfWeight} * interval '1 day' and u.suspended_at is null
            and (r.outcome <> all(${VIDEO_FAULTS as string[]}) or ${faultsBefore(db)} < ${MAX_FAULTS_PER_DAY})
          order by r.reported_at desc limit ${BLOCK_THRESHOLD.sampleSize}
        ) as latest
        group by is_fault, date_trunc('hour', created_at)
      ) as weighted_reports)`
  if (failing.length === 0) return
  await db`
    update songs s set blocked_video_id = s.youtube_id
    from unnest(${failing.map(({ id }) => id)}::bigint[], ${failing.map(({ video }) => video)}::text[]) as f (id, video)
    where s.id = f.id and s.youtube_id = f.video`
}

/** Faults of the same listener within the day before report `r`. */
const faultsBefore = (db: Database) => db`(
  select count(*) from playback_reports o
  where o.user_id = r.user_id and o.reported_at > r.reported_at - interval '1 day'
    and (o.reported_at, o.song_id) < (r.reported_at, r.song_id) and o.outcome = any(${VIDEO_FAULTS as string[]}))`

/** Blocks videos that YouTube does not allow to be embedded, until they are verified. */
export async function blockVideos(db: Database, videoIds: readonly string[]): Promise<void> {
  if (videoIds.length === 0) return
  await db`
    update songs set blocked_video_id = youtube_id
    where youtube_id = any(${videoIds as string[]}) and blocked_video_id is distinct from youtube_id`
}

/** Unblocks verified videos, and forgets earlier reports on them and that a check found them dead. */
export async function unblockVideos(db: Database, videoIds: readonly string[]): Promise<void> {
  if (videoIds.length === 0) return
  await db.begin(async (tx) => {
    await tx`
      update songs set blocked_video_id = null
      where youtube_id = any(${videoIds as string[]}) and blocked_video_id is not null`
    await tx`
      update video_candidates d set refusal = null, detail = null from songs s
      where s.id = d.song_id and s.youtube_id = d.video_id and s.youtube_id = any(${videoIds as string[]})
        and d.refusal in ('gone', 'not embeddable')`
    const songs = await tx<
      { id: string }[]
    >`select id from songs where youtube_id = any(${videoIds as string[]})`
    await tx`
      delete from playback_reports
      where song_id = any(${songs.map(({ id }) => id)}::bigint[]) and outcome <> 'ready'`
  })
}

/** Checks a song's video at YouTube again, and unblocks it if it can be embedded. */
export async function verifySong(
  db: Database,
  youtube: Youtube,
  songId: string,
): Promise<VideoAnswer | 'bad-key'> {
  const [song] = await db<{ youtubeId: string | null }[]>`select youtube_id from songs where id = ${songId}`
  if (!song?.youtubeId) throw new HttpError(404, 'There is no such song, or it has no video.')
  const answers = await youtube.check([song.youtubeId], { fresh: true })
  if (answers === 'bad-key') return answers
  const answer = answers.get(song.youtubeId)
  if (!answer) throw new Error('A checked video has no result.')
  if ('embeddable' in answer && answer.embeddable) await unblockVideos(db, [song.youtubeId])
  return answer
}

/** Blocked videos and those with recent errors, the worst first. */
export async function listPlaybackHealth(db: Database): Promise<SongHealth[]> {
  const rows = await db<(Omit<SongHealth, 'lastReportedAt'> & { lastReportedAt: Date })[]>`
    with suspects as (
      select song_id as id from playback_reports where outcome not in ('ready', 'preview')
      union select id from songs where blocked_video_id is not null
    ), outcomes as (
      select r.song_id, r.outcome, count(*)::int as listeners, count(*) filter (where r.preview_used)::int as previews,
        max(r.reported_at) as reported_at
      from suspects u join songs s on s.id = u.id
      join playback_reports r on r.song_id = s.id and r.video_id = s.youtube_id
      where r.reported_at > now() - ${REPORT_DAYS} * interval '1 day'
      group by r.song_id, r.outcome
    )
    select s.id as song_id, s.title, s.artist, s.youtube_id,
      coalesce(s.blocked_video_id = s.youtube_id, false) as blocked,
      coalesce(sum(o.listeners) filter (where o.outcome = 'ready'), 0)::int as played,
      coalesce(sum(o.listeners) filter (where o.outcome = any(${VIDEO_FAULTS as string[]})), 0)::int as failed,
      coalesce(sum(o.previews), 0)::int as previews,
      coalesce(jsonb_object_agg(o.outcome, o.listeners) filter (where o.outcome not in ('ready', 'preview')), '{}')
        as errors,
      max(o.reported_at) as last_reported_at
    from outcomes o join songs s on s.id = o.song_id and s.youtube_id is not null
    group by s.id
    having bool_or(o.outcome not in ('ready', 'preview')) or coalesce(s.blocked_video_id = s.youtube_id, false)
    order by blocked desc, failed desc, last_reported_at desc limit ${LIST_SIZE}`
  return rows.map((row) => ({ ...row, lastReportedAt: row.lastReportedAt.toISOString() }))
}
