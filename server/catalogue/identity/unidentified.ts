import type { Database, Queryable } from '../../db/connection.ts'
import { readPages, wasAsked } from '../askServices.ts'
import type { SongFacts } from './chooseRecording.ts'

export interface UnidentifiedSong extends SongFacts {
  id: string
  recordingMbid: string | null
  deezerTrackId: string | null
  /** A hash of what its identity depends on: a changed song is asked about again. */
  facts: string
}

/** The quick look-ups, and MusicBrainz's search. */
export const IDENTITY_PROVIDERS = { bulk: 'bulk-enrich', search: 'search-enrich' }

/** `facts` of `songs s`. */
export const identityFacts = (db: Queryable) => db`
  coalesce(md5(concat_ws(E'\n', s.artist, s.title, s.year, s.duration_ms, s.isrc, s.recording_mbid)), '')`

/** Whether `songs s` lacks identity and was not recently asked about. */
export const lacksIdentity = (db: Queryable) => db`
  s.retired_at is null and (s.recording_mbid is null or s.isrc is null or s.release_mbid is null)
  and not ${wasAsked(db, IDENTITY_PROVIDERS.search, identityFacts(db))}`

/** Whether the quick look-ups failed for `songs s`. */
export const wasLookedUp = (db: Queryable) => wasAsked(db, IDENTITY_PROVIDERS.bulk, identityFacts(db))

/** The songs with a recording, and why the others have none. */
export async function countIdentified(db: Database): Promise<{
  songs: number
  identified: number
  reasons: { reason: string; songs: number }[]
}> {
  const [row] = await db<{ songs: number; identified: number }[]>`
    select count(*)::int as songs, count(recording_mbid)::int as identified
    from songs where retired_at is null`
  const reasons = await db<{ reason: string; songs: number }[]>`
    select ${reasonOf(db)} as reason, count(*)::int as songs from songs s ${joinAsked(db)}
    where s.retired_at is null and s.recording_mbid is null group by 1 order by 2 desc, 1`
  return { songs: row?.songs ?? 0, identified: row?.identified ?? 0, reasons: [...reasons] }
}

const PAGE_SIZE = 1000

/** Every song without a recording, and why, in pages. */
export async function* listUnidentified(db: Database): AsyncGenerator<string[][]> {
  const pages = readPages(
    (after) => db<
      { id: string; key: string; artist: string; title: string; reason: string; detail: string }[]
    >`
      select s.id, s.key, s.artist, s.title, ${reasonOf(db)} as reason,
        coalesce(c.value->>'detail', '') as detail
      from songs s ${joinAsked(db)}
      where s.retired_at is null and s.recording_mbid is null and s.id > ${after}
      order by s.id limit ${PAGE_SIZE}`,
  )
  for await (const rows of pages) yield rows.map(({ id, ...row }) => Object.values(row))
}

/** A song without an answer, or changed since, counts as not asked. */
const reasonOf = (db: Queryable) => db`coalesce(c.value->>'reason', 'not asked')`

const joinAsked = (db: Queryable) => db`
  left join provider_cache c on c.provider = ${IDENTITY_PROVIDERS.search} and c.key = s.id::text and c.expires_at > now()
    and c.value->>'facts' = ${identityFacts(db)}`
