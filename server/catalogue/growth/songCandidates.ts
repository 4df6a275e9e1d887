import type { Database, Queryable } from '../../db/connection.ts'
import type { TaggedEntity, TaggedRecording } from '../../integrations/listenbrainz.ts'
import { readPages } from '../askServices.ts'
import { normalizeName } from '../spelling.ts'
import type { FoundSong, RecordingRefusal } from './judgeRecording.ts'

/** A recording that may become a song of a microgenre. */
export interface SongCandidate extends FoundSong {
  recordingMbid: string
  tagged: TaggedEntity[]
}

/** A recording's details from MusicBrainz. */
export interface CandidateDescription {
  mbid: string
  song: FoundSong | null
  refusal: RecordingRefusal | 'unknown' | null
}

/** The decision about a candidate. */
export interface CandidateOutcome {
  score: number
  songId?: string
  suggestionId?: string
  refusal?: 'here already' | 'at the desk' | 'rejected' | 'cannot be added'
  detail?: string
}

/** Days until a candidate that is named again is looked up again. */
const LOOKUP_DAYS = 30

/** Whether `song_candidates c` is undecided. */
const isUndecided = (db: Queryable) => db`c.song_id is null and c.suggestion_id is null`

/** Adds a source's recordings. For known ones, adds to the entities that have the tag. */
export async function addCandidates(
  db: Queryable,
  microgenreId: string,
  named: readonly TaggedRecording[],
): Promise<void> {
  await db`
    insert into song_candidates as c (microgenre_id, recording_mbid, tagged)
    select ${microgenreId}::bigint, mbid, array_agg(distinct tagged order by tagged)
    from jsonb_to_recordset(${db.json(named)}) as i (mbid text, tagged text)
    group by mbid order by mbid
    on conflict (microgenre_id, recording_mbid) do update set
      tagged = (select array_agg(distinct entity order by entity) from unnest(c.tagged || excluded.tagged) entity),
      looked_up_at = case when ${isUndecided(db)}
          and c.looked_up_at < now() - ${LOOKUP_DAYS} * interval '1 day' then null
        else c.looked_up_at end`
}

/** Stores details from MusicBrainz, unless the candidate was decided meanwhile. */
export async function storeDescriptions(
  db: Queryable,
  microgenreId: string,
  described: readonly CandidateDescription[],
): Promise<void> {
  const rows = described.map(({ mbid, song, refusal }) => ({ mbid, refusal, ...song }))
  await db`
    ${lockInOrder(
      db,
      microgenreId,
      described.map(({ mbid }) => mbid),
    )}
    update song_candidates c set title = i.title, artist = i.artist, artist_mbid = i."artistMbid",
      length_ms = i."lengthMs", year = i.year, release_mbid = i."releaseMbid", refusal = i.refusal, detail = null,
      looked_up_at = now()
    from jsonb_to_recordset(${db.json(rows)}) as i (mbid text, refusal text, title text, artist text,
      "artistMbid" text, "lengthMs" int, year int, "releaseMbid" text)
    join locked on locked.mbid = i.mbid
    where c.microgenre_id = ${microgenreId} and c.recording_mbid = i.mbid and ${isUndecided(db)}`
}

/** Locks candidates in order, so that concurrent processes do not deadlock. */
const lockInOrder = (db: Queryable, microgenreId: string, mbids: string[]) => db`
  with locked as materialized (
    select recording_mbid as mbid from song_candidates
    where microgenre_id = ${microgenreId} and recording_mbid = any(${mbids}::text[])
    order by recording_mbid for update)`

/** Refuses candidates whose recording is in the catalogue, before anybody is asked about them. */
export async function refuseKnownRecordings(db: Queryable, microgenreId: string): Promise<void> {
  const inCatalogue = await db<{ mbid: string }[]>`
    select c.recording_mbid as mbid from song_candidates c join songs s on s.recording_mbid = c.recording_mbid
    where c.microgenre_id = ${microgenreId} and c.looked_up_at is null and ${isUndecided(db)}`
  if (inCatalogue.length === 0) return
  await db`
    ${lockInOrder(
      db,
      microgenreId,
      inCatalogue.map(({ mbid }) => mbid),
    )}
    update song_candidates c set refusal = 'here already', detail = s.key, looked_up_at = now()
    from locked join songs s on s.recording_mbid = locked.mbid
    where c.microgenre_id = ${microgenreId} and c.recording_mbid = locked.mbid and ${isUndecided(db)}`
}

/** The next recordings to look up at MusicBrainz. */
export async function readUndescribed(
  db: Queryable,
  microgenreId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ mbid: string }[]>`
    select recording_mbid as mbid from song_candidates c
    where microgenre_id = ${microgenreId} and looked_up_at is null and ${isUndecided(db)} and recording_mbid > ${after}
    order by recording_mbid limit ${limit}`
  return rows.map(({ mbid }) => mbid)
}

export async function readOpenCandidates(db: Queryable, microgenreId: string): Promise<SongCandidate[]> {
  return db<SongCandidate[]>`
    select recording_mbid, tagged, coalesce(title, '') as title, coalesce(artist, '') as artist,
      coalesce(artist_mbid, '') as artist_mbid, length_ms, year, release_mbid
    from song_candidates c
    where microgenre_id = ${microgenreId} and looked_up_at is not null and refusal is null and title is not null
      and ${isUndecided(db)}
    order by recording_mbid`
}

/** Normalized names that several artists among the candidates share. */
export async function readSharedNames(db: Queryable, microgenreId: string): Promise<Set<string>> {
  const rows = await db<{ artist: string; artistMbid: string }[]>`
    select distinct coalesce(artist, '') as artist, coalesce(artist_mbid, '') as artist_mbid from song_candidates
    where microgenre_id = ${microgenreId} and artist is not null and artist_mbid is not null`
  const artists = new Map<string, string>()
  const sharedNames = new Set<string>()
  for (const { artist, artistMbid } of rows) {
    const name = normalizeName(artist)
    if (artists.has(name) && artists.get(name) !== artistMbid) sharedNames.add(name)
    artists.set(name, artistMbid)
  }
  return sharedNames
}

/** Locks a candidate. False when another process has decided it. */
export async function lockOpenCandidate(tx: Queryable, microgenreId: string, mbid: string): Promise<boolean> {
  const [open] = await tx`
    select from song_candidates c
    where microgenre_id = ${microgenreId} and recording_mbid = ${mbid} and refusal is null and ${isUndecided(tx)}
    for update`
  return open !== undefined
}

/** Stores the decision about a candidate, if it is open. */
export async function storeOutcome(
  tx: Queryable,
  microgenreId: string,
  mbid: string,
  { score, songId = null, suggestionId = null, refusal = null, detail = null }: Nullable<CandidateOutcome>,
): Promise<void> {
  await tx`
    update song_candidates c set score = ${score}, song_id = ${songId}, suggestion_id = ${suggestionId},
      refusal = ${refusal}, detail = ${detail}
    where microgenre_id = ${microgenreId} and recording_mbid = ${mbid} and refusal is null and ${isUndecided(tx)}`
}

type Nullable<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | null : T[K] }

const PAGE_SIZE = 1000

/** Every candidate, in pages. */
export async function* listSongCandidates(db: Database): AsyncGenerator<string[][]> {
  const microgenres = await db<{ id: string; key: string }[]>`select id, key from microgenres order by key`
  for (const { id: microgenreId, key } of microgenres) {
    const readPage = (after: string) => db<Row[]>`
      select c.recording_mbid as id, coalesce(c.artist, '') as artist, coalesce(c.title, '') as title,
        coalesce(array_to_string(c.tagged, ', '), '') as tagged, coalesce(c.score::text, '') as score,
        case when c.song_id is not null then 'added' when c.suggestion_id is not null then 'at the desk'
          else coalesce(c.refusal, 'open') end as result,
        coalesce(c.detail, '') as detail
      from song_candidates c
      where c.microgenre_id = ${microgenreId} and c.recording_mbid > ${after}
      order by c.recording_mbid limit ${PAGE_SIZE}`
    for await (const rows of readPages(readPage)) yield rows.map((row) => [key, ...Object.values(row)])
  }
}

type Row = Record<'id' | 'artist' | 'title' | 'tagged' | 'score' | 'result' | 'detail', string>
