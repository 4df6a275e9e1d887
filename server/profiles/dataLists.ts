import type { OwnCollection } from '../../contract/collections.ts'
import { type ShareKind, sharePath, sharerName } from '../../contract/sharing.ts'
import { describeDevice } from '../auth/describeDevice.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { readRatings, toRecord } from './exportRatings.ts'

type Batches = AsyncIterable<readonly object[]>

/** Rows per query and per piece of text: what is in memory at once. */
const BATCH = 500

/** The lists of a listener's data, by their names in the download (people-23). */
export function readDataLists(db: Database, env: Env, listener: string): Record<string, Batches> {
  return {
    ratings: ratings(db, listener),
    microgenres: microgenres(db, listener),
    notNow: notNow(db, listener),
    progress: progress(db, listener),
    achievements: achievements(db, env, listener),
    collections: collections(db, env, listener),
    following: following(db, listener),
    followers: followers(db, listener),
    playbackReports: playbackReports(db, listener),
    feedback: feedback(db, listener),
    suggestions: suggestions(db, listener),
    reports: reports(db, listener),
    decisions: decisions(db, listener),
    sessions: sessions(db, listener),
    uploads: uploads(db, listener),
  }
}

/**
 * Each batch is its own query, which begins after the last row of the one before, so that a slow reader does not block
 * a connection.
 */
async function* inBatches<Row extends object>(
  read: (last: Row | undefined) => PromiseLike<Row[]>,
  toEntry: (row: Row) => object,
): AsyncGenerator<object[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last)
    if (rows.length > 0) yield rows.map(toEntry)
    if (rows.length < BATCH) return
    last = rows.at(-1)
  }
}

/** The rating that a later pass replaced is kept too, for undo. */
async function* ratings(db: Database, listener: string): AsyncGenerator<object[]> {
  let batch: object[] = []
  for await (const rating of readRatings(db, listener, false)) {
    const {
      pass,
      heardSeconds,
      heardSource,
      dealtNumber,
      dealtReason,
      previousBanger,
      previousRatedAt,
      ...row
    } = rating
    const previous =
      previousBanger === null
        ? null
        : { rating: previousBanger ? 'banger' : 'bust', ratedAt: previousRatedAt }
    const heard = heardSource === null ? null : { seconds: heardSeconds, source: heardSource }
    batch.push({ ...toRecord(row), pass, heard, dealt: dealtAs(dealtNumber, dealtReason), previous })
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** How a song was dealt (discover-49); of an earlier pass only the reason is kept. */
const dealtAs = (number: number | null, reason: number | null) =>
  number === null && reason === null ? null : { number, reason: DEALT_FOR[reason ?? 0] ?? null }

/** The reasons of discover-52 by the numbers that are stored. */
const DEALT_FOR: Record<number, string> = {
  1: 'next in the shuffle',
  2: 'listeners of the microgenre like it',
  3: 'few have heard it',
  4: 'it fits what the listener banged before',
}

interface MicrogenreRow {
  key: string
  microgenre: string
  ratings: number
  bangers: number
  pass: number
}

const microgenres = (db: Database, listener: string) =>
  inBatches<MicrogenreRow>(
    (last) => db<MicrogenreRow[]>`
      select g.microgenre_id as key, m.name as microgenre, g.ratings, g.bangers, g.pass
      from listener_genres g join microgenres m on m.id = g.microgenre_id
      where g.user_id = ${listener} and g.microgenre_id > ${last?.key ?? '0'}
      order by g.microgenre_id limit ${BATCH}`,
    withoutKey,
  )

interface NotNowRow {
  microgenreId: string
  songId: string
  title: string
  artist: string
  pass: number
  putOffAt: Date
  letGoAt: Date | null
  dealtNumber: number | null
  dealtReason: number | null
}

const notNow = (db: Database, listener: string) =>
  inBatches<NotNowRow>(
    (last) => db<NotNowRow[]>`
      select n.microgenre_id, n.song_id, s.title, s.artist, n.pass, n.put_off_at, n.let_go_at, n.dealt_number,
        n.dealt_reason
      from not_now n join songs s on s.id = n.song_id
      where n.user_id = ${listener}
        and (n.microgenre_id, n.song_id) > (${last?.microgenreId ?? '0'}::bigint, ${last?.songId ?? '0'}::bigint)
      order by n.microgenre_id, n.song_id limit ${BATCH}`,
    ({ microgenreId: _, songId: __, dealtNumber, dealtReason, ...row }) => ({
      ...row,
      dealt: dealtAs(dealtNumber, dealtReason),
    }),
  )

interface ProgressRow {
  key: string
  title: string
  artist: string
  secondsListened: number
  totalDuration: number
  updatedAt: Date
}

const progress = (db: Database, listener: string) =>
  inBatches<ProgressRow>(
    (last) => db<ProgressRow[]>`
      select p.song_id as key, s.title, s.artist, p.seconds_listened, p.total_duration, p.updated_at
      from listening_progress p join songs s on s.id = p.song_id
      where p.user_id = ${listener} and p.song_id > ${last?.key ?? '0'}
      order by p.song_id limit ${BATCH}`,
    withoutKey,
  )

interface AchievementRow {
  id: string
  type: string
  metadata: Record<string, string | number>
  createdAt: Date
  announcedAt: Date | null
  shareToken: string | null
}

const achievements = (db: Database, env: Env, listener: string) =>
  inBatches<AchievementRow>(
    (last) => db<AchievementRow[]>`
      select a.id, a.type, a.metadata, a.created_at, a.announced_at, t.token as share_token
      from achievements a
      left join share_tokens t on t.kind = 'achievement' and t.target_id = a.id and t.user_id = a.user_id
      where a.user_id = ${listener} and a.id > ${last?.id ?? '0'}
      order by a.id limit ${BATCH}`,
    ({ shareToken, ...row }) => ({ ...row, link: linkOf(env, 'achievement', shareToken) }),
  )

type CollectionRow = Pick<
  OwnCollection,
  'id' | 'name' | 'description' | 'isPublic' | 'viewCount' | 'shareToken'
> & {
  createdAt: Date
  items: { microgenre: string; addedAt: string }[]
}

const collections = (db: Database, env: Env, listener: string) =>
  inBatches<CollectionRow>(
    (last) => db<CollectionRow[]>`
      select c.id, c.name, c.description, c.is_public, c.view_count, c.created_at, t.token as share_token,
        coalesce(
          (select json_agg(json_build_object('microgenre', m.name, 'addedAt', i.added_at) order by i.id)
           from collection_items i join microgenres m on m.id = i.microgenre_id
           where i.collection_id = c.id),
          '[]') as items
      from collections c
      left join share_tokens t on t.kind = 'collection' and t.target_id = c.id and t.user_id = c.user_id
      where c.user_id = ${listener} and c.id > ${last?.id ?? '0'}
      order by c.id limit ${BATCH}`,
    ({ shareToken, ...row }) => ({ ...row, link: linkOf(env, 'collection', shareToken) }),
  )

interface FollowRow {
  id: string
  firstName: string | null
  lastName: string | null
  isShown: boolean
  createdAt: Date
}

/** Somebody who is private now has no name (people-2). */
const following = (db: Database, listener: string) =>
  inBatches<FollowRow>(
    (last) => db<FollowRow[]>`
      select u.id, u.first_name, u.last_name, u.is_public and u.suspended_at is null as is_shown, f.created_at
      from follows f join users u on u.id = f.followed_id
      where f.follower_id = ${listener} and f.followed_id > ${last?.id ?? '0'}
      order by f.followed_id limit ${BATCH}`,
    (row) => ({ id: row.id, name: row.isShown ? sharerName(row) : null, since: row.createdAt }),
  )

/** Only its owner knows that a private profile exists, so a private follower has no id either. */
const followers = (db: Database, listener: string) =>
  inBatches<FollowRow>(
    (last) => db<FollowRow[]>`
      select u.id, u.first_name, u.last_name, u.is_public and u.suspended_at is null as is_shown, f.created_at
      from follows f join users u on u.id = f.follower_id
      where f.followed_id = ${listener} and f.follower_id > ${last?.id ?? '0'}
      order by f.follower_id limit ${BATCH}`,
    (row) => ({
      id: row.isShown ? row.id : null,
      name: row.isShown ? sharerName(row) : null,
      since: row.createdAt,
    }),
  )

interface ReportRow {
  key: string
  place: string
  title: string
  artist: string
  videoId: string | null
  outcome: string
  previewUsed: boolean
  reportedAt: Date
}

/** By time, as their index is. A song that is reported again meanwhile appears twice. */
const playbackReports = (db: Database, listener: string) =>
  inBatches<ReportRow>(
    (last) => db<ReportRow[]>`
      select r.song_id as key, r.reported_at::text as place, s.title, s.artist, r.video_id, r.outcome,
        r.preview_used, r.reported_at
      from playback_reports r join songs s on s.id = r.song_id
      where r.user_id = ${listener} and r.reported_at >= ${last?.place ?? '-infinity'}::text::timestamptz
        and (r.reported_at, r.song_id) >
          (${last?.place ?? '-infinity'}::text::timestamptz, ${last?.key ?? '0'}::bigint)
      order by r.reported_at, r.song_id limit ${BATCH}`,
    ({ place: _, ...row }) => withoutKey(row),
  )

interface FeedbackRow {
  key: string
  email: string
  message: string
  createdAt: Date
  mailedAt: Date | null
}

const feedback = (db: Database, listener: string) =>
  inBatches<FeedbackRow>(
    (last) => db<FeedbackRow[]>`
      select id as key, email, message, created_at, mailed_at from feedback
      where user_id = ${listener} and id > ${last?.key ?? '0'}
      order by id limit ${BATCH}`,
    withoutKey,
  )

interface SuggestionRow {
  key: string
  title: string
  artist: string
  year: number | null
  microgenre: string
  address: string | null
  state: string
  reason: string | null
  createdAt: Date
  withdrawnAt: Date | null
}

const suggestions = (db: Database, listener: string) =>
  inBatches<SuggestionRow>(
    (last) => db<SuggestionRow[]>`
      select g.id as key, g.title, g.artist, g.year, m.name as microgenre, g.address, g.state, g.reason, v.created_at,
        v.withdrawn_at
      from suggestion_votes v
      join suggestions g on g.id = v.suggestion_id
      join microgenres m on m.id = g.microgenre_id
      where v.user_id = ${listener} and g.id > ${last?.key ?? '0'}
      order by g.id limit ${BATCH}`,
    withoutKey,
  )

interface DeskReportRow {
  key: string
  subject: string
  reason: string
  createdAt: Date
  withdrawnAt: Date | null
}

/** Without the other person whom a report may be about. */
const reports = (db: Database, listener: string) =>
  inBatches<DeskReportRow>(
    (last) => db<DeskReportRow[]>`
      select id as key, subject, reason, created_at, withdrawn_at from reports
      where user_id = ${listener} and id > ${last?.key ?? '0'}
      order by id limit ${BATCH}`,
    withoutKey,
  )

interface DecisionRow {
  key: string
  subject: string
  action: string
  createdAt: Date
}

/** Of a steward: without what they were about, which may be another person. */
const decisions = (db: Database, listener: string) =>
  inBatches<DecisionRow>(
    (last) => db<DecisionRow[]>`
      select id as key, subject, action, created_at from decisions
      where steward_id = ${listener} and id > ${last?.key ?? '0'}
      order by id limit ${BATCH}`,
    withoutKey,
  )

interface SessionRow {
  key: string
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

/** Without their tokens, which would let a reader of the file sign in. */
const sessions = (db: Database, listener: string) =>
  inBatches<SessionRow>(
    (last) => db<SessionRow[]>`
      select id as key, user_agent, created_at, last_seen_at, expires_at from sessions
      where user_id = ${listener} and id > ${last?.key ?? '0'}
      order by id limit ${BATCH}`,
    (row) => ({ device: describeDevice(row.userAgent).device, ...withoutKey(row) }),
  )

interface UploadRow {
  key: string
  purpose: string
  fileName: string | null
  contentType: string | null
  size: string | null
  createdAt: Date
  completedAt: Date | null
  expiresAt: Date | null
}

const uploads = (db: Database, listener: string) =>
  inBatches<UploadRow>(
    (last) => db<UploadRow[]>`
      select key, purpose, file_name, content_type, size, created_at, completed_at, expires_at from uploads
      where user_id = ${listener} and key > ${last?.key ?? ''}
      order by key limit ${BATCH}`,
    ({ size, ...row }) => ({ ...withoutKey(row), size: size === null ? null : Number(size) }),
  )

const withoutKey = <Row extends { key: string }>({ key: _, ...row }: Row): Omit<Row, 'key'> => row

const linkOf = (env: Env, kind: ShareKind, token: string | null) =>
  token === null ? null : env.publicUrl + sharePath(kind, token)
