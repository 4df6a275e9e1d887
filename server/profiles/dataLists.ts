import type { OwnCollection } from '../../contract/collections.ts'
import { type ShareKind, sharePath, sharerName } from '../../contract/sharing.ts'
import { parseUserAgent } from '../auth/parseUserAgent.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { readRatingEntries, toDealtEntry } from './exportRatings.ts'
import { isAbout } from './isAbout.ts'

type Batches = AsyncIterable<readonly object[]>

/** Rows per query, and in memory at once. */
const BATCH_SIZE = 500

/** The lists of a listener's data, by their names in the download (people-23). */
export function readDataLists(db: Database, env: Env, listener: string): Record<string, Batches> {
  return {
    ratings: readRatingEntries(db, listener),

    microgenres: inBatches(
      (after) => db<
        {
          key: string
          microgenre: string
          ratings: number
          bangers: number
          pass: number
          moreLike: string | null
        }[]
      >`
        select g.microgenre_id as key, m.name as microgenre, g.ratings, g.bangers, g.pass, l.title as more_like
        from listener_genres g join microgenres m on m.id = g.microgenre_id left join songs l on l.id = g.lean_song_id
        where g.user_id = ${listener} and g.microgenre_id > ${after}
        order by g.microgenre_id limit ${BATCH_SIZE}`,
    ),

    // The ratings taken back are stored for a week, without what they said.
    undoneRatings: inBatches(
      (after) => db<(Song & { key: string; undoneAt: Date })[]>`
        select n.song_id as key, s.title, s.artist, n.undone_at
        from undone_ratings n join songs s on s.id = n.song_id
        where n.user_id = ${listener} and n.song_id > ${after}
        order by n.song_id limit ${BATCH_SIZE}`,
    ),

    // The songs that are drawn and may be dealt next.
    hands: inBatches(
      (after) => db<{ key: string; microgenre: string; pass: number; dealt: number; songs: Song[] }[]>`
        select h.microgenre_id as key, m.name as microgenre, h.pass, h.dealt,
          coalesce(
            (select json_agg(json_build_object('title', s.title, 'artist', s.artist) order by o.place)
             from unnest(h.songs) with ordinality o (id, place) join songs s on s.id = o.id),
            '[]') as songs
        from listener_hands h join microgenres m on m.id = h.microgenre_id
        where h.user_id = ${listener} and h.microgenre_id > ${after}
        order by h.microgenre_id limit ${BATCH_SIZE}`,
    ),

    notNow: inBatches(
      (after, last?: NotNowRow) => db<NotNowRow[]>`
        select n.song_id as key, n.microgenre_id, s.title, s.artist, n.pass, n.put_off_at,
          nullif(n.let_go_at, '-infinity') as let_go_at, n.dealt_number,
          n.dealt_reason
        from not_now n join songs s on s.id = n.song_id
        where n.user_id = ${listener} and n.put_off_at > '-infinity'
          and (n.microgenre_id, n.song_id) > (${last?.microgenreId ?? '0'}::bigint, ${after}::bigint)
        order by n.microgenre_id, n.song_id limit ${BATCH_SIZE}`,
      ({ microgenreId: _, dealtNumber, dealtReason, ...row }) => ({
        ...withoutKey(row),
        dealt: toDealtEntry(dealtNumber, dealtReason),
      }),
    ),

    // The songs of imported files.
    imports: inBatches(
      (after) => db<ImportRow[]>`
        select id as key, file_name, sources, status, created_at, applied_at from imports
        where user_id = ${listener} and id > ${after}
        order by id limit ${BATCH_SIZE}`,
    ),

    importedSongs: inBatches(
      (after, last?: ImportedSongRow) => db<ImportedSongRow[]>`
        select s.place::text as key, s.import_id, s.title, s.artist, s.verdict, s.rated_at, s.plays
        from import_songs s join imports i on i.id = s.import_id
        where i.user_id = ${listener} and (s.import_id, s.place) > (${last?.importId ?? '0'}::bigint, ${after}::integer)
        order by s.import_id, s.place limit ${BATCH_SIZE}`,
      ({ importId: _, verdict, ...row }) => ({
        ...withoutKey(row),
        rating: verdict === null ? null : verdict ? 'banger' : 'bust',
      }),
    ),

    knownSongs: inBatches(
      (after, last?: KnownSongRow) => db<KnownSongRow[]>`
        select k.song_id as key, k.import_id, s.title, s.artist, k.plays
        from known_songs k join songs s on s.id = k.song_id
        where k.user_id = ${listener} and (k.import_id, k.song_id) > (${last?.importId ?? '0'}::bigint, ${after}::bigint)
        order by k.import_id, k.song_id limit ${BATCH_SIZE}`,
      ({ importId: _, ...row }) => withoutKey(row),
    ),

    progress: inBatches(
      (after) => db<
        (Song & { key: string; secondsListened: number; totalDuration: number; updatedAt: Date })[]
      >`
        select p.song_id as key, s.title, s.artist, p.seconds_listened, p.total_duration, p.updated_at
        from listening_progress p join songs s on s.id = p.song_id
        where p.user_id = ${listener} and p.song_id > ${after}
        order by p.song_id limit ${BATCH_SIZE}`,
    ),

    achievements: inBatches(
      (after) => db<AchievementRow[]>`
        select a.id as key, a.id, a.type, a.metadata, a.created_at, a.announced_at, t.token as share_token
        from achievements a
        left join share_tokens t on t.kind = 'achievement' and t.target_id = a.id and t.user_id = a.user_id
        where a.user_id = ${listener} and a.id > ${after}
        order by a.id limit ${BATCH_SIZE}`,
      ({ shareToken, ...row }) => ({ ...withoutKey(row), link: shareLink(env, 'achievement', shareToken) }),
    ),

    collections: inBatches(
      (after) => db<CollectionRow[]>`
        select c.id as key, c.id, c.name, c.description, c.is_public, c.view_count, c.created_at,
          t.token as share_token,
          coalesce(
            (select json_agg(json_build_object('microgenre', m.name, 'addedAt', i.added_at) order by i.id)
             from collection_items i join microgenres m on m.id = i.microgenre_id
             where i.collection_id = c.id),
            '[]') as items
        from collections c
        left join share_tokens t on t.kind = 'collection' and t.target_id = c.id and t.user_id = c.user_id
        where c.user_id = ${listener} and c.id > ${after}
        order by c.id limit ${BATCH_SIZE}`,
      ({ shareToken, ...row }) => ({ ...withoutKey(row), link: shareLink(env, 'collection', shareToken) }),
    ),

    mixes: inBatches(
      (after) => db<MixRow[]>`
        select x.id as key, x.id, x.name, x.created_at, t.token as share_token,
          coalesce(
            (select json_agg(json_build_object('title', s.title, 'artist', s.artist) order by o.place)
             from unnest(x.song_ids) with ordinality o (id, place) join songs s on s.id = o.id),
            '[]') as songs
        from mixes x
        left join share_tokens t on t.kind = 'mix' and t.target_id = x.id and t.user_id = x.user_id
        where x.user_id = ${listener} and x.id > ${after}
        order by x.id limit ${BATCH_SIZE}`,
      ({ shareToken, ...row }) => ({ ...withoutKey(row), link: shareLink(env, 'mix', shareToken) }),
    ),

    // A listener who is private now has no name (people-2).
    following: readFollows(db, listener, 'follower_id', 'followed_id', (row) => row.key),

    // Only its owner knows that a private profile exists, so a private follower has no id either.
    followers: readFollows(db, listener, 'followed_id', 'follower_id', (row) =>
      row.isShown ? row.key : null,
    ),

    // Ordered by time, like their index. A song that is reported again meanwhile appears twice.
    playbackReports: inBatches(
      (after, last?: ReportRow) => db<ReportRow[]>`
        select r.song_id as key, r.reported_at::text as place, s.title, s.artist, r.video_id, r.outcome,
          r.preview_used, r.reported_at
        from playback_reports r join songs s on s.id = r.song_id
        where r.user_id = ${listener} and r.reported_at >= ${last?.place ?? '-infinity'}::text::timestamptz
          and (r.reported_at, r.song_id) > (${last?.place ?? '-infinity'}::text::timestamptz, ${after}::bigint)
        order by r.reported_at, r.song_id limit ${BATCH_SIZE}`,
      ({ place: _, ...row }) => withoutKey(row),
    ),

    feedback: inBatches(
      (after) => db<
        { key: string; email: string; message: string; createdAt: Date; mailedAt: Date | null }[]
      >`
        select id as key, email, message, created_at, mailed_at from feedback
        where user_id = ${listener} and id > ${after}
        order by id limit ${BATCH_SIZE}`,
    ),

    suggestions: inBatches(
      (after) => db<SuggestionRow[]>`
        select g.id as key, g.title, g.artist, g.year, m.name as microgenre, g.address, g.state, g.reason,
          v.created_at, v.withdrawn_at
        from suggestion_votes v
        join suggestions g on g.id = v.suggestion_id
        join microgenres m on m.id = g.microgenre_id
        where v.user_id = ${listener} and g.id > ${after}
        order by g.id limit ${BATCH_SIZE}`,
    ),

    // Without the other person whom a report may be about.
    reports: inBatches(
      (after) => db<
        { key: string; subject: string; reason: string; createdAt: Date; withdrawnAt: Date | null }[]
      >`
        select id as key, subject, reason, created_at, withdrawn_at from reports
        where user_id = ${listener} and id > ${after}
        order by id limit ${BATCH_SIZE}`,
    ),

    // A steward's decisions, without their subjects, which may be other people.
    decisions: inBatches(
      (after) => db<{ key: string; subject: string; action: string; createdAt: Date }[]>`
        select id as key, subject, action, created_at from decisions
        where steward_id = ${listener} and id > ${after}
        order by id limit ${BATCH_SIZE}`,
    ),

    // What stewards and operators decided about the listener, without who they are.
    decisionsAboutMe: inBatches(
      (after) => db<AboutRow[]>`
        select d.id as key, d.subject, d.action, d.label, d.changes, d.created_at from decisions d
        where ${isAbout(db, db`d`, db`${listener}`)} and d.id > ${after}
        order by d.id limit ${BATCH_SIZE}`,
    ),

    // Without their tokens, which would let a reader of the file sign in.
    sessions: inBatches(
      (after) => db<
        { key: string; userAgent: string | null; createdAt: Date; lastSeenAt: Date; expiresAt: Date }[]
      >`
        select id as key, user_agent, created_at, last_seen_at, expires_at from sessions
        where user_id = ${listener} and id > ${after}
        order by id limit ${BATCH_SIZE}`,
      (row) => ({ device: parseUserAgent(row.userAgent).device, ...withoutKey(row) }),
    ),

    uploads: inBatches(
      (after) => db<UploadRow[]>`
        select key, purpose, file_name, content_type, size, created_at, completed_at, expires_at from uploads
        where user_id = ${listener} and key > ${after}
        order by key limit ${BATCH_SIZE}`,
      ({ size, ...row }) => ({ ...withoutKey(row), size: size === null ? null : Number(size) }),
    ),
  }
}

/**
 * Each batch is a query, which begins after the last row of the previous one, so that a slow reader does not block a
 * connection.
 */
async function* inBatches<Row extends { key: string }>(
  read: (after: string, last?: Row) => PromiseLike<Row[]>,
  toEntry: (row: Row) => object = withoutKey,
): AsyncGenerator<object[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last?.key ?? '0', last)
    if (rows.length > 0) yield rows.map(toEntry)
    if (rows.length < BATCH_SIZE) return
    last = rows.at(-1)
  }
}

interface Song {
  title: string
  artist: string
}

interface NotNowRow extends Song {
  key: string
  microgenreId: string
  pass: number
  putOffAt: Date
  letGoAt: Date | null
  dealtNumber: number | null
  dealtReason: number | null
}

interface ImportRow {
  key: string
  fileName: string | null
  sources: string[]
  status: string
  createdAt: Date
  appliedAt: Date | null
}

interface ImportedSongRow extends Song {
  key: string
  importId: string
  verdict: boolean | null
  ratedAt: Date | null
  plays: number
}

interface KnownSongRow extends Song {
  key: string
  importId: string
  plays: number
}

interface AchievementRow {
  key: string
  id: string
  type: string
  metadata: Record<string, string | number>
  createdAt: Date
  announcedAt: Date | null
  shareToken: string | null
}

type CollectionRow = Pick<
  OwnCollection,
  'id' | 'name' | 'description' | 'isPublic' | 'viewCount' | 'shareToken'
> & {
  key: string
  createdAt: Date
  items: { microgenre: string; addedAt: string }[]
}

interface MixRow {
  key: string
  id: string
  name: string
  createdAt: Date
  shareToken: string | null
  songs: Song[]
}

interface FollowRow {
  key: string
  firstName: string | null
  lastName: string | null
  isShown: boolean
  createdAt: Date
}

function readFollows(
  db: Database,
  listener: string,
  own: 'follower_id' | 'followed_id',
  other: 'follower_id' | 'followed_id',
  idOf: (row: FollowRow) => string | null,
) {
  return inBatches(
    (after) => db<FollowRow[]>`
      select u.id as key, u.first_name, u.last_name, u.is_public and u.suspended_at is null as is_shown, f.created_at
      from follows f join users u on u.id = f.${db(other)}
      where f.${db(own)} = ${listener} and f.${db(other)} > ${after}
      order by f.${db(other)} limit ${BATCH_SIZE}`,
    (row) => ({ id: idOf(row), name: row.isShown ? sharerName(row) : null, since: row.createdAt }),
  )
}

interface ReportRow extends Song {
  key: string
  place: string
  videoId: string | null
  outcome: string
  previewUsed: boolean
  reportedAt: Date
}

interface SuggestionRow extends Song {
  key: string
  year: number | null
  microgenre: string
  address: string | null
  state: string
  reason: string | null
  createdAt: Date
  withdrawnAt: Date | null
}

interface AboutRow {
  key: string
  subject: string
  action: string
  label: string
  changes: object[]
  createdAt: Date
}

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

const withoutKey = <Row extends { key: string }>({ key: _, ...row }: Row): Omit<Row, 'key'> => row

const shareLink = (env: Env, kind: ShareKind, token: string | null) =>
  token === null ? null : env.publicUrl + sharePath(kind, token)
