import type { Fragment, Queryable } from '../db/connection.ts'

/** A finding about existing songs. `isWrong` when the product cannot work with it. */
export interface Finding {
  what: string
  isWrong: boolean
  count: number
  /** The first examples, as many as requested. */
  examples: string[]
}

export interface CatalogueState {
  microgenres: number
  songs: number
  retired: number
  withVideo: number
  withSpotify: number
  withDeezer: number
  withDuration: number
}

/** Counts songs, and what is known about those that are not retired. */
export async function countSongs(db: Queryable): Promise<CatalogueState> {
  const [row] = await db<CatalogueState[]>`
    select (select count(*)::int from microgenres where retired_at is null) as microgenres, count(*)::int as songs,
      count(*) filter (where retired_at is not null)::int as retired,
      count(*) filter (where retired_at is null and youtube_id is not null)::int as with_video,
      count(*) filter (where retired_at is null and spotify_id is not null)::int as with_spotify,
      count(*) filter (where retired_at is null and deezer_track_id is not null)::int as with_deezer,
      count(*) filter (where retired_at is null and duration_ms is not null)::int as with_duration
    from songs`
  if (!row) throw new Error('A count returned no row.')
  return row
}

/** Checks every song. Returns findings with up to `most` examples each, without empty ones. */
export async function checkCatalogue(db: Queryable, most: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { what, isWrong, rows } of CHECKS) {
    const [found] = await db<{ count: number; examples: string[] | null }[]>`
      with found as (${rows(db)})
      select (select count(*)::int from found) as count,
        (select array_agg(example) from (select example from found order by 1 limit ${most}) as first) as examples`
    if (found && found.count > 0)
      findings.push({ what, isWrong, count: found.count, examples: found.examples ?? [] })
  }
  return findings
}

interface Check {
  what: string
  isWrong: boolean
  /** Each case as a row with its `example`. */
  rows(db: Queryable): Fragment
}

const CHECKS: Check[] = [
  {
    what: 'microgenres with a wrong song count',
    isWrong: true,
    rows: (db) => db`
      select m.key as example from microgenres m left join songs s on s.microgenre_id = m.id
      group by m.id
      having m.live_song_count <> count(s.id) filter (where s.retired_at is null)
        or m.song_count <= coalesce(max(s.seq), -1)`,
  },
  {
    what: 'rated songs that do not exist',
    isWrong: true,
    rows: (db) => db`
      select distinct r.song_id::text as example from ratings r
      where not exists (select from songs s where s.id = r.song_id)`,
  },
  {
    what: 'songs with ratings in another microgenre',
    isWrong: true,
    rows: (db) => db`
      select distinct s.key as example from ratings r join songs s on s.id = r.song_id
      where s.microgenre_id <> r.microgenre_id`,
  },
  {
    what: 'microgenres without songs',
    isWrong: false,
    rows: (db) => db`
      select key as example from microgenres where live_song_count = 0 and retired_at is null`,
  },
  {
    what: 'microgenres without tags',
    isWrong: false,
    rows: (db) => db`select key as example from microgenres where cardinality(energy) = 0`,
  },
  {
    what: 'possible duplicates by artist and title',
    isWrong: false,
    rows: (db) => db`
      select m.key || ': ' || min(artist) || ' – ' || min(title) || ' (' || count(*) || ' times)' as example
      from songs s join microgenres m on m.id = s.microgenre_id
      where s.retired_at is null
      group by m.key, lower(artist), lower(title) having count(*) > 1`,
  },
  {
    what: 'Deezer tracks that several songs use',
    isWrong: false,
    rows: (db) => db`
      select deezer_track_id || ': ' || string_agg(key, ', ' order by key) as example
      from songs where retired_at is null and deezer_track_id is not null
      group by deezer_track_id having count(*) > 1`,
  },
  {
    what: 'titles that look like upload titles, such as (Official Video)',
    isWrong: false,
    rows: (db) => db`
      select key || ': ' || title as example from songs
      where retired_at is null
        and title ~* '\\m(official|lyrics?|full album|HD|HQ)\\M|&amp;|&quot;|&#39;'`,
  },
  {
    what: 'songs without a video and without a known preview',
    isWrong: false,
    rows: (db) => db`
      select key as example from songs
      where retired_at is null and youtube_id is null and deezer_track_id is null`,
  },
  {
    what: 'songs without a duration',
    isWrong: false,
    rows: (db) => db`select key as example from songs where retired_at is null and duration_ms is null`,
  },
  {
    what: 'songs without a year',
    isWrong: false,
    rows: (db) => db`select key as example from songs where retired_at is null and year is null`,
  },
]
