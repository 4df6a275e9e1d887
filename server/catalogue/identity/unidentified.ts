import type { Database, Queryable } from '../../db/connection.ts'
import { createProviderCache } from '../../integrations/providerCache.ts'
import type { KnownSong, Unidentified } from './chooseRecording.ts'

/** A song that lacks a part of its identity. */
export interface Song extends KnownSong {
  id: string
  recordingMbid: string | null
  deezerTrackId: string | null
  /** What its identity depends on, as one text: a song that changes is asked about again. */
  facts: string
}

/** Why a song has no recording. */
interface Answer {
  /** Null when it has one, or the look-ups did not decide. */
  reason: Unidentified | 'duplicate' | null
  /** The candidates, or the key of the song that has the recording. */
  detail: string | null
}

/** Seconds until a song that lacks something is asked about again. */
const ASKED_AGAIN = 30 * 24 * 3600

/** 'bulk' for the quick look-ups, 'search' for MusicBrainz's search. */
const PROVIDERS = { bulk: 'bulk-enrich', search: 'search-enrich' }

type Step = keyof typeof PROVIDERS

/** `facts` of `songs s`. */
export const facts = (db: Queryable) => db`
  coalesce(md5(concat_ws(E'\n', s.artist, s.title, s.year, s.duration_ms, s.isrc, s.recording_mbid)), '')`

/** Whether a song of `songs s` lacks a part of its identity that services were not asked about lately. */
export const isLacking = (db: Queryable) => db`
  s.retired_at is null and (s.recording_mbid is null or s.isrc is null or s.release_mbid is null)
  and not exists (select from provider_cache c
                  where c.provider = ${PROVIDERS.search} and c.key = s.id::text and c.expires_at > now()
                    and c.value->>'facts' = ${facts(db)})`

/** Whether the quick look-ups did not identify a song of `songs s`. */
export const wasLookedUp = (db: Queryable) => db`
  exists (select from provider_cache c
          where c.provider = ${PROVIDERS.bulk} and c.key = s.id::text and c.expires_at > now()
            and c.value->>'facts' = ${facts(db)})`

/** Remembers that songs were asked about, and the answer. */
export async function rememberAsked(
  db: Database,
  step: Step,
  songs: Song[],
  answer: Answer = { reason: null, detail: null },
): Promise<void> {
  const asked = new Map(songs.map((song) => [song.id, { facts: song.facts, ...answer }]))
  await createProviderCache(db, PROVIDERS[step]).write(asked, ASKED_AGAIN)
}

/** How many songs have a recording, and why the others have none. */
export async function countIdentified(db: Database): Promise<{
  songs: number
  identified: number
  reasons: { reason: string; songs: number }[]
}> {
  const [row] = await db<{ songs: number; identified: number }[]>`
    select count(*)::int as songs, count(recording_mbid)::int as identified
    from songs where retired_at is null`
  const reasons = await db<{ reason: string; songs: number }[]>`
    select ${reasonOf(db)} as reason, count(*)::int as songs from songs s ${andAsked(db)}
    where s.retired_at is null and s.recording_mbid is null group by 1 order by 2 desc, 1`
  return { songs: row?.songs ?? 0, identified: row?.identified ?? 0, reasons: [...reasons] }
}

const PAGE = 1000

/** Every song without a recording, as tab-separated lines with a header, in chunks. */
export async function* listUnidentified(db: Database): AsyncGenerator<string> {
  yield 'key\tartist\ttitle\treason\tdetail\n'
  let after = '0'
  for (;;) {
    const rows = await db<Row[]>`
      select s.id, s.key, s.artist, s.title, ${reasonOf(db)} as reason,
        coalesce(c.value->>'detail', '') as detail
      from songs s ${andAsked(db)}
      where s.retired_at is null and s.recording_mbid is null and s.id > ${after}
      order by s.id limit ${PAGE}`
    if (rows.length === 0) return
    after = rows.at(-1)?.id ?? after
    yield rows
      .map(({ key, artist, title, reason, detail }) => `${[key, artist, title, reason, detail].join('\t')}\n`)
      .join('')
  }
}

interface Row {
  id: string
  key: string
  artist: string
  title: string
  reason: string
  detail: string
}

/** A song that never got an answer, or changed since, counts as not asked. */
const reasonOf = (db: Queryable) => db`coalesce(c.value->>'reason', 'not asked')`

const andAsked = (db: Queryable) => db`
  left join provider_cache c on c.provider = ${PROVIDERS.search} and c.key = s.id::text and c.expires_at > now()
    and c.value->>'facts' = ${facts(db)}`
