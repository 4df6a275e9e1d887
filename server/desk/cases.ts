import {
  type CaseSubject,
  DESK_PAGE_SIZE,
  type DeskCase,
  type VideoDoubt,
  type VideoSource,
} from '../../contract/desk.ts'
import type { ReportReason } from '../../contract/reports.ts'
import { sharerName } from '../../contract/sharing.ts'
import type { Service, SuggestionState } from '../../contract/suggestions.ts'
import { isOfSuspended } from '../auth/accountRights.ts'
import { offeredVideos } from '../catalogue/videos/videoCandidates.ts'
import type { Queryable } from '../db/connection.ts'
import { albumArtOf } from '../discovery/song.ts'
import type { Env } from '../env.ts'
import { isAbout } from '../profiles/isAbout.ts'
import { findCatalogueSongs } from '../suggestions/catalogueSongs.ts'
import { readFoundMicrogenres } from './microgenres.ts'
import { findTrusted, suggesterOf } from './trusted.ts'

/** Songs of the catalogue that a suggestion may be. */
const MAX_ALIKE_SONGS = 3

interface OpenCase {
  subject: CaseSubject
  subjectId: string
  votes: number
  since: Date
}

/** The waiting cases, by votes, then the oldest first (desk-12), without those about the steward (desk-29). */
export async function listCases(
  db: Queryable,
  env: Env,
  steward: string,
  offset: number,
): Promise<{ waiting: number; cases: DeskCase[] }> {
  const [all] = await db<{ waiting: number }[]>`
    select coalesce(count(*), 0)::int as waiting from (${openCases(db, steward)}) open`
  const openRows = await db<OpenCase[]>`
    select subject, subject_id, votes, since from (${openCases(db, steward)}) open
    order by votes desc, since, subject, subject_id offset ${offset} limit ${DESK_PAGE_SIZE}`
  const idsOf = (...subjects: CaseSubject[]) =>
    openRows.filter(({ subject }) => subjects.includes(subject)).map(({ subjectId }) => subjectId)
  const suggestions = await readSuggestions(db, env, idsOf('suggestion'))
  const videos = await readVideos(db, env, idsOf('video'))
  const microgenres = await readFoundMicrogenres(db, idsOf('microgenre'))
  const songs = await readSongs(db, env, idsOf('song'))
  const collections = await readCollections(db, idsOf('collection'))
  const people = await readPeople(db, idsOf('person', 'bio', 'photo'))
  const reasons = await readReasons(db, openRows)
  return {
    waiting: all?.waiting ?? 0,
    cases: openRows.map(({ subject, subjectId, votes, since }) => ({
      subject,
      subjectId,
      votes,
      since: since.toISOString(),
      reasons: reasons.get(`${subject} ${subjectId}`) ?? [],
      suggestion: subject === 'suggestion' ? (suggestions.get(subjectId) ?? null) : null,
      video: subject === 'video' ? (videos.get(subjectId) ?? null) : null,
      microgenre: subject === 'microgenre' ? (microgenres.get(subjectId) ?? null) : null,
      song: subject === 'song' ? (songs.get(subjectId) ?? null) : null,
      person: ['person', 'bio', 'photo'].includes(subject) ? (people.get(subjectId) ?? null) : null,
      collection: subject === 'collection' ? (collections.get(subjectId) ?? null) : null,
    })),
  }
}

/** Without subjects that are retired, private, suspended or deleted. They wait again when that ends. */
const openCases = (db: Queryable, steward: string) => db`
  select 'suggestion' as subject, g.id as subject_id, v.votes, g.created_at as since
  from suggestions g, lateral (
    select coalesce(count(*), 0)::int as all_votes,
      coalesce(count(*) filter (where not ${isOfSuspended(db, db`v`)}), 0)::int as votes
    from suggestion_votes v where v.suggestion_id = g.id and v.withdrawn_at is null) v
  where g.state = 'waiting' and (v.votes > 0 or v.all_votes = 0 or g.found_score is not null)
  union all
  select 'video' as subject, o.id as subject_id, 0 as votes, o.judged_at as since from (${offeredVideos(db)}) o
  union all
  select 'microgenre' as subject, f.id as subject_id, 0 as votes, f.created_at as since
  from found_microgenres f where f.state = 'waiting'
  union all
  select r.subject, r.subject_id, coalesce(count(distinct r.user_id), 0)::int as votes,
    coalesce(min(r.created_at), now()) as since
  from reports r
  where r.closed_by is null and r.withdrawn_at is null and case r.subject
    when 'song' then exists (select from songs s where s.id = r.subject_id and s.retired_at is null)
    when 'collection' then exists (select from collections c join users u on u.id = c.user_id
      where c.id = r.subject_id and c.is_public and u.suspended_at is null)
    else exists (select from users u where u.id = r.subject_id and u.is_public and u.suspended_at is null
      and (r.subject <> 'bio' or u.bio is not null)
      and (r.subject <> 'photo' or u.profile_image_url is not null))
    end
    and not ${isAbout(db, db`r`, db`${steward}`)} and not ${isOfSuspended(db, db`r`)}
  group by r.subject, r.subject_id`

type Reasons = DeskCase['reasons']

async function readReasons(db: Queryable, openRows: OpenCase[]): Promise<Map<string, Reasons>> {
  const rows = await db<{ subject: CaseSubject; subjectId: string; reason: ReportReason; votes: number }[]>`
    select r.subject, r.subject_id, r.reason, coalesce(count(*), 0)::int as votes from reports r
    where r.closed_by is null and r.withdrawn_at is null and not ${isOfSuspended(db, db`r`)}
      and r.subject_id = any(${openRows.map(({ subjectId }) => subjectId)}::bigint[])
    group by r.subject, r.subject_id, r.reason order by 4 desc, 3`
  const reasons = new Map<string, Reasons>()
  for (const { subject, subjectId, ...reason } of rows) {
    const key = `${subject} ${subjectId}`
    reasons.set(key, [...(reasons.get(key) ?? []), reason])
  }
  return reasons
}

interface SongColumns {
  id: string
  title: string
  artist: string
  year: number | null
  microgenreId: string
  microgenre: string
  color: string
  youtubeId: string | null
  spotifyId: string | null
  deezerTrackId: string | null
  recordingMbid: string | null
}

type SuggestionRow = SongColumns & {
  state: SuggestionState
  address: string | null
  service: Service | null
  foundScore: number | null
  suggesterId: string | null
}

async function readSuggestions(db: Queryable, env: Env, ids: string[]) {
  const rows = await db<SuggestionRow[]>`
    select g.id, g.title, g.artist, g.year, g.microgenre_id, m.name as microgenre, m.color, g.youtube_id, g.spotify_id,
      g.deezer_track_id, g.recording_mbid, g.state, g.address, g.service, g.found_score,
      ${suggesterOf(db)} as suggester_id
    from suggestions g join microgenres m on m.id = g.microgenre_id
    where g.id = any(${ids}::bigint[])`
  const alike = rows.length > 0 ? await findCatalogueSongs(db, env, rows) : []
  const suggesters = await readSuggesters(
    db,
    rows.flatMap(({ suggesterId }) => suggesterId ?? []),
  )
  return new Map(
    rows.map(({ suggesterId, ...row }, n) => [
      row.id,
      {
        ...row,
        albumArt: albumArtOf({ albumArt: null, youtubeId: row.youtubeId }, env),
        suggester: (suggesterId && suggesters.get(suggesterId)) || null,
        alike: (alike[n] ?? []).slice(0, MAX_ALIKE_SONGS),
      },
    ]),
  )
}

async function readSuggesters(db: Queryable, ids: string[]) {
  const people = await readPeople(db, ids)
  const trusted = await findTrusted(db, ids)
  const counts = await db<{ id: string; waiting: number }[]>`
    select mine.user_id as id, coalesce(count(*), 0)::int as waiting
    from suggestion_votes mine join suggestions g on g.id = mine.suggestion_id
    where mine.user_id = any(${ids}::bigint[]) and g.state = 'waiting' and ${suggesterOf(db)} = mine.user_id
    group by mine.user_id`
  const waiting = new Map(counts.map((row) => [row.id, row.waiting]))
  return new Map(
    [...people.values()].map(({ id, name }) => [
      id,
      { id, name, isTrusted: trusted.has(id), waiting: waiting.get(id) ?? 0 },
    ]),
  )
}

interface VideoRow extends SongColumns {
  youtubeId: string
  videoTitle: string
  channel: string | null
  videoMs: number | null
  songMs: number | null
  source: VideoSource
  score: number
  doubt: VideoDoubt
}

async function readVideos(db: Queryable, env: Env, ids: string[]) {
  const rows = await db<VideoRow[]>`
    select c.id, s.title, s.artist, s.year, s.microgenre_id, m.name as microgenre, m.color, c.video_id as youtube_id,
      s.spotify_id, s.deezer_track_id, s.recording_mbid, coalesce(c.title, '') as video_title, c.channel,
      c.duration_ms as video_ms, s.duration_ms as song_ms, c.source, c.score, c.refusal as doubt
    from video_candidates c join songs s on s.id = c.song_id join microgenres m on m.id = s.microgenre_id
    where c.id = any(${ids}::bigint[]) and c.refusal is not null`
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, albumArt: albumArtOf({ albumArt: null, youtubeId: row.youtubeId }, env) },
    ]),
  )
}

async function readSongs(db: Queryable, env: Env, ids: string[]) {
  const rows = await db<(SongColumns & { albumArt: string | null })[]>`
    select s.id, s.title, s.artist, s.year, s.microgenre_id, m.name as microgenre, m.color, s.album_art, s.youtube_id,
      s.spotify_id, s.deezer_track_id, s.recording_mbid
    from songs s join microgenres m on m.id = s.microgenre_id
    where s.id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, { ...row, albumArt: albumArtOf(row, env) }]))
}

interface PersonRow {
  id: string
  firstName: string | null
  lastName: string | null
  isPublic: boolean
  bio: string | null
  profileImageUrl: string | null
}

/** Name, bio and photo only of public listeners (desk-11). */
async function readPeople(db: Queryable, ids: string[]) {
  const rows = await db<PersonRow[]>`
    select id, first_name, last_name, is_public, bio, profile_image_url from users
    where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, toPerson(row)]))
}

const toPerson = ({ id, isPublic, ...row }: PersonRow) => ({
  id,
  name: isPublic ? sharerName(row) : null,
  bio: isPublic ? row.bio : null,
  profileImageUrl: isPublic ? row.profileImageUrl : null,
})

async function readCollections(db: Queryable, ids: string[]) {
  const rows = await db<
    { id: string; name: string; description: string | null; userId: string; microgenres: string[] }[]
  >`
    select c.id, c.name, c.description, c.user_id,
      array(select m.name from collection_items i join microgenres m on m.id = i.microgenre_id
        where i.collection_id = c.id order by i.id) as microgenres
    from collections c where c.id = any(${ids}::bigint[])`
  const owners = await readPeople(
    db,
    rows.map(({ userId }) => userId),
  )
  return new Map(
    rows.flatMap(({ userId, ...row }) => {
      const owner = owners.get(userId)
      return owner ? [[row.id, { ...row, owner }] as const] : []
    }),
  )
}
