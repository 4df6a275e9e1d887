import type { CatalogueSong } from '../../contract/suggestions.ts'
import type { Queryable } from '../db/connection.ts'
import { containsPattern, FOLD_BATCH, foldSearchText, mayContain } from '../db/searchTexts.ts'
import { albumArtOf } from '../discovery/song.ts'
import type { Env } from '../env.ts'
import { NO_IDS, type SongIds } from './songAddress.ts'
import { songKey, titleKey } from './songKey.ts'

export interface CandidateSong extends Partial<SongIds> {
  title: string
  artist: string
}

/**
 * The songs of the catalogue that each candidate may be: those with one of its ids, then those with its title and
 * artist, however they are spelled (desk-5). Retired ones too if `retired`.
 */
export async function findCatalogueSongs(
  db: Queryable,
  env: Env,
  candidates: CandidateSong[],
  { retired = false }: { retired?: boolean } = {},
): Promise<CatalogueSong[][]> {
  const idsOf = (name: keyof SongIds) => candidates.flatMap((candidate) => candidate[name] ?? [])
  await foldSongs(db)
  const rows = await db<Row[]>`
    ${columns(db)} from songs s join microgenres m on m.id = s.microgenre_id
    where (s.retired_at is null or ${retired}) and (
      s.youtube_id = any(${idsOf('youtubeId')}::text[]) or s.spotify_id = any(${idsOf('spotifyId')}::text[])
      or s.deezer_track_id = any(${idsOf('deezerTrackId')}::text[])
      or s.recording_mbid = any(${idsOf('recordingMbid')}::text[])
      or s.title_key = any(${candidates.map(({ title }) => titleKey(title))}::text[]))
    order by s.id`
  return candidates.map((candidate) => {
    const key = songKey(candidate.artist, candidate.title)
    const same = rows.filter((row) => hasSameId(row, candidate))
    const alike = rows.filter((row) => !same.includes(row) && songKey(row.artist, row.title) === key)
    return [...same, ...alike].map((row) => toCatalogueSong(row, env))
  })
}

/**
 * Songs of the catalogue whose title and artist contain all these words, at most `limit`, the shortest titles first.
 * The shortest titles are searched first, which is enough for frequent words; an index finds the others.
 */
export async function searchCatalogue(
  db: Queryable,
  env: Env,
  rawWords: string[],
  limit: number,
): Promise<CatalogueSong[]> {
  const words = [...new Set(rawWords.map(foldSearchText))].filter(Boolean)
  words.sort((a, b) => b.length - a.length)
  if (words.length === 0) return []
  await foldSongs(db)
  const shortest = await readMatching(db, words, 'shortest', limit)
  const rows = shortest.length === limit ? shortest : await readMatching(db, words, 'all', limit)
  return rows.map((row) => toCatalogueSong(row, env))
}

function readMatching(
  db: Queryable,
  words: string[],
  among: 'shortest' | 'all',
  limit: number,
): Promise<Row[]> {
  // A word of one or two letters is a large part of the index, so at most the longest word may be one.
  const longWords = words.filter((word, n) => n === 0 || [...word].length > 2)
  // OFFSET 0 keeps the planner from reading all songs in order.
  return db<Row[]>`
    ${columns(db)}
    from ${
      among === 'shortest'
        ? db`(select * from songs where retired_at is null order by char_length(title), id limit 2000) s`
        : db`(select * from songs
              where retired_at is null and ${mayContain(db, db`folded`, db`${longWords}::text[]`)} offset 0) s`
    }
    join microgenres m on m.id = s.microgenre_id
    where s.folded like all (${words.map(containsPattern)}::text[])
    order by char_length(s.title), s.id limit ${limit}`
}

/** Those of these songs that can be rated now, by id. */
export async function readCatalogueSongs(
  db: Queryable,
  env: Env,
  ids: readonly string[],
): Promise<Map<string, CatalogueSong>> {
  const rows = await db<Row[]>`
    ${columns(db)} from songs s join microgenres m on m.id = s.microgenre_id
    where s.id = any(${ids as string[]}::bigint[]) and s.retired_at is null`
  return new Map(rows.map((row) => [row.id, toCatalogueSong(row, env)]))
}

const hasSameId = (song: SongIds, candidate: Partial<SongIds>): boolean =>
  (Object.keys(NO_IDS) as (keyof SongIds)[]).some(
    (name) => song[name] !== null && song[name] === candidate[name],
  )

interface Row extends CatalogueSong, SongIds {}

const columns = (db: Queryable) => db`
  select s.id, s.title, s.artist, s.year, s.microgenre_id, m.name as microgenre, s.album_art, s.youtube_id,
    s.spotify_id, s.deezer_track_id, s.recording_mbid`

const toCatalogueSong = (row: Row, env: Env): CatalogueSong => ({
  id: row.id,
  title: row.title,
  artist: row.artist,
  year: row.year,
  microgenreId: row.microgenreId,
  microgenre: row.microgenre,
  albumArt: albumArtOf(row, env),
})

/**
 * Folds the titles and artists that have changed (desk-4, desk-5). Each search calls it first, so writers need not.
 * Returns the last id of a full batch, else null.
 */
export async function foldSongs(db: Queryable, after = '0'): Promise<string | null> {
  const rows = await db<{ id: string; title: string; artist: string; hash: string }[]>`
    select id, title, artist, hashtextextended(title || chr(31) || artist, 0) as hash from songs
    where folded_from is distinct from hashtextextended(title || chr(31) || artist, 0) and id + 0 > ${after}::bigint
    order by id + 0 limit ${FOLD_BATCH}`
  if (rows.length > 0)
    await db`
      with v as materialized (
        select * from unnest(${rows.map(({ id }) => id)}::bigint[],
          ${rows.map(({ title, artist }) => foldSearchText(`${title} ${artist}`))}::text[],
          ${rows.map(({ title }) => titleKey(title))}::text[],
          ${rows.map(({ hash }) => hash)}::bigint[]) as v (id, folded, title_key, hash)
      ), changed as (
        update songs s set folded = v.folded, title_key = v.title_key, folded_from = v.hash from v where s.id = v.id
        returning s.id
      )
      select from changed`
  return rows.length === FOLD_BATCH ? (rows.at(-1)?.id ?? null) : null
}

export async function foldAllSongs(db: Queryable): Promise<void> {
  for (let after: string | null = '0'; after !== null; ) after = await foldSongs(db, after)
}
