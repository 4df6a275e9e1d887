import { MAX_MICROGENRE_LENGTHS } from '../../../contract/desk.ts'
import { cleanLine } from '../../../contract/texts.ts'
import type { Database, Queryable } from '../../db/connection.ts'
import type { Listenbrainz } from '../../integrations/listenbrainz.ts'
import type { Musicbrainz, Recording } from '../../integrations/musicbrainz.ts'
import { createProviderCache } from '../../integrations/providerCache.ts'
import { songKey } from '../../suggestions/songKey.ts'
import { ASK_AGAIN_SECONDS, type Ask } from '../askServices.ts'
import { lockCatalogue } from '../oneSong.ts'
import { normalizeName } from '../spelling.ts'
import { judgeRecording } from './judgeRecording.ts'

export interface GrowServices {
  /** Null without a token. */
  listenbrainz: Listenbrainz | null
  musicbrainz: Musicbrainz
}

export interface GrowthSources extends GrowServices {
  ask: Ask
}

/** The minimum of songs and artists with a tag for which a microgenre is proposed (catalogue-18). */
const MIN_EVIDENCE = { songs: 12, artists: 5 }

/** Proposed microgenres that are pending at the desk. */
const MAX_PENDING_MICROGENRES = 10

/** If more tags share the most votes for a recording, none counts as strong. */
const MAX_STRONG_TAGS = 3

/** The microgenres' normalized names. */
export async function readMicrogenreNames(db: Queryable): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`select name from microgenres`
  return new Set(rows.map(({ name }) => normalizeName(name)))
}

/** Stores recordings that could be songs, but whose strongest tags are none of our microgenres. */
export async function storeUnclaimed(
  db: Queryable,
  nearId: string,
  ownNames: ReadonlySet<string>,
  recordings: readonly Recording[],
): Promise<void> {
  const rows = recordings.flatMap((recording) => {
    const keys = [...new Set(recording.strongestTags.map(genreKeyOf))]
    if (keys.length > MAX_STRONG_TAGS || keys.some((key) => key !== null && ownNames.has(key))) return []
    const { song, refusal } = judgeRecording(recording)
    if (!song || refusal) return []
    const values = { mbid: recording.mbid, songKey: songKey(song.artist, song.title), ...song }
    return keys.flatMap((genreKey) => (genreKey === null ? [] : { genreKey, ...values }))
  })
  if (rows.length === 0) return
  // Sorted, so that two processes that write the same ones do not deadlock.
  await db`
    insert into found_microgenre_songs (genre_key, recording_mbid, near_id, song_key, title, artist, artist_mbid,
      length_ms, year, release_mbid)
    select distinct on ("genreKey", mbid) "genreKey", mbid, ${nearId}::bigint, "songKey", title, artist, "artistMbid",
      "lengthMs", year, "releaseMbid"
    from jsonb_to_recordset(${db.json(rows)}) as i ("genreKey" text, mbid text, "songKey" text, title text,
      artist text, "artistMbid" text, "lengthMs" int, year int, "releaseMbid" text)
    order by "genreKey", mbid
    on conflict (genre_key, recording_mbid) do nothing`
}

/** Null for a tag that is no valid name of a microgenre. */
function genreKeyOf(tag: string): string | null {
  const name = cleanLine(tag)
  return isName(name) ? normalizeName(name) : null
}

/** As a steward could type it. */
const isName = (name: string): boolean =>
  name !== '' &&
  name.length <= MAX_MICROGENRE_LENGTHS.name &&
  cleanLine(name) === name &&
  !INVALID_CHARACTERS.test(name)

/** Not storable in PostgreSQL, or a sign of lost text. */
const INVALID_CHARACTERS = /[\0\uFFFD\p{Surrogate}]/u

/**
 * Proposes each genre of MusicBrainz that enough songs carry to the desk, once (catalogue-18). Asks for the list of
 * genres only when there are such tags.
 */
export async function proposeMicrogenres(db: Database, sources: GrowthSources): Promise<void> {
  const ownNames = await readMicrogenreNames(db)
  const strong = (await readStrongTags(db)).filter(({ genreKey }) => !ownNames.has(genreKey))
  if (strong.length === 0) return
  const genres = await readGenres(db, sources)
  if (!genres) return
  const named = strong.flatMap(({ genreKey, nearId }, place) => {
    const name = genres.get(genreKey)
    return name === undefined ? [] : { genreKey, nearId, name, place }
  })
  await db.begin(async (tx) => {
    // Concurrent runs take turns.
    await lockCatalogue(tx)
    const waiting =
      await tx`select from found_microgenres where state = 'waiting' limit ${MAX_PENDING_MICROGENRES}`
    await tx`
      insert into found_microgenres (genre_key, name, family, near_id)
      select i."genreKey", i.name, m.family, m.id
      from jsonb_to_recordset(${tx.json(named)}) as i ("genreKey" text, name text, "nearId" bigint, place int)
      join microgenres m on m.id = i."nearId"
      order by i.place
      limit ${MAX_PENDING_MICROGENRES - waiting.length}
      on conflict (genre_key) do nothing`
  })
}

/** Tags of enough songs that are not proposed yet, with the nearest microgenre of each, by number of songs. */
async function readStrongTags(db: Queryable): Promise<{ genreKey: string; nearId: string }[]> {
  return db<{ genreKey: string; nearId: string }[]>`
    select g.genre_key, coalesce(mode() within group (order by g.near_id), 0) as near_id
    from found_microgenre_songs g
    where not exists (select from found_microgenres f where f.genre_key = g.genre_key)
    group by g.genre_key
    having count(distinct g.song_key) >= ${MIN_EVIDENCE.songs}
      and count(distinct g.artist_mbid) >= ${MIN_EVIDENCE.artists}
    order by count(distinct g.song_key) desc, g.genre_key`
}

/** MusicBrainz's genres by normalized name. Null without an answer: a later run asks again. */
async function readGenres(
  db: Database,
  { musicbrainz, ask }: GrowthSources,
): Promise<Map<string, string> | null> {
  const cache = createProviderCache<string[]>(db, 'grow-genres')
  let names = (await cache.read(['all'])).get('all')
  if (!names) {
    const answer = await ask('MusicBrainz', () => musicbrainz.genres())
    if (!answer) return null
    names = answer.names.filter(isName)
    await cache.write(new Map([['all', names]]), ASK_AGAIN_SECONDS)
  }
  return new Map(names.map((name) => [normalizeName(name), name]))
}

interface GenreExample {
  recordingMbid: string
  title: string
  artist: string
  year: number | null
  lengthMs: number | null
  releaseMbid: string | null
}

/** Songs per genre for the steward. */
const EXAMPLES_PER_GENRE = 5

/** A few songs by different artists for each genre, first those not in the catalogue. */
export async function readExamples(
  db: Queryable,
  ids: readonly string[],
): Promise<(GenreExample & { genreId: string })[]> {
  return db<(GenreExample & { genreId: string })[]>`
    select f.id as genre_id, e.recording_mbid, e.title, e.artist, e.year, e.length_ms, e.release_mbid
    from found_microgenres f cross join lateral (
      select o.recording_mbid, o.title, o.artist, o.year, o.length_ms, o.release_mbid, o.is_here from (
        select distinct on (g.artist_mbid) g.recording_mbid, g.title, g.artist, g.year, g.length_ms, g.release_mbid,
          exists (select from songs s where s.recording_mbid = g.recording_mbid) as is_here
        from found_microgenre_songs g where g.genre_key = f.genre_key
        order by g.artist_mbid, is_here, g.recording_mbid) o
      order by o.is_here, o.recording_mbid limit ${EXAMPLES_PER_GENRE}) e
    where f.id = any(${ids as string[]}::bigint[])
    order by f.id, e.is_here, e.recording_mbid`
}
