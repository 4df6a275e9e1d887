import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Queryable } from '../db/connection.ts'
import type { Fault } from './fault.ts'
import type { SongRow } from './songRow.ts'

/** A row whose microgenre was looked up; null where the file names none. */
export type PlacedRow = SongRow & { microgenreId: string | null }

export interface BatchResult {
  added: number
  /** Songs that were there and know more now, or are retired or back. */
  changed: number
  unchanged: number
  /** Of the known ones those where the file says otherwise than the database, which was kept. */
  differing: number
  refused: Fault[]
}

/**
 * Makes the table that remembers which songs this run has seen, and from which line. It belongs to the
 * connection, so a run has a pool of one.
 */
export async function beginRun(db: Queryable): Promise<void> {
  await db`drop table if exists run_songs`
  await db`create temporary table run_songs (song_id bigint primary key, line integer not null)`
}

/**
 * Merges rows into songs, in the transaction it is given. A song is known by its key, its YouTube id or its
 * Spotify id, never by its title alone. Known songs only get what they lack, unless `update`; their
 * microgenre never changes, and none is deleted.
 */
export async function writeBatch(
  tx: Queryable,
  rows: PlacedRow[],
  { update }: { update: boolean },
): Promise<BatchResult> {
  await copyRows(tx, rows)
  await findSongs(tx)
  await refuseRepeats(tx)
  // A pass counts on seq without gaps: it goes on from the microgenre's count, under the row's lock.
  await tx`
    select from microgenres where id in (select microgenre_id from found where refusal is null)
    order by id for update`
  const moved = update ? await moveRetired(tx) : []
  const { changed, differing, known } = await changeKnown(tx, update, moved)
  const added = await addNew(tx)
  const refused = await tx<Refused[]>`
    select line, refusal, told from found where refusal is not null order by line`
  return {
    added,
    changed,
    unchanged: known - changed,
    differing,
    refused: refused.map(({ line, refusal, told }) => ({ line, ...REFUSALS[refusal], told })),
  }
}

const REFUSALS = {
  other_youtube: { field: 'youtube_id', reason: 'belongs to another song' },
  other_spotify: { field: 'spotify_id', reason: 'belongs to another song' },
  other_microgenre: { field: 'microgenre', reason: 'is another than the song has, and never changes' },
  no_title: { field: 'title', reason: 'is missing' },
  no_artist: { field: 'artist', reason: 'is missing' },
  no_microgenre: { field: 'microgenre', reason: 'is missing' },
  repeated: { field: null, reason: 'repeats a song of this file' },
} as const

interface Refused {
  line: number
  refusal: keyof typeof REFUSALS
  told: string | null
}

async function copyRows(tx: Queryable, rows: PlacedRow[]): Promise<void> {
  await tx`
    create temporary table incoming (
      line integer, key text, is_key_given boolean, named_key text, microgenre_id bigint, title text,
      artist text, year integer, youtube_id text, spotify_id text, deezer_track_id text,
      duration_ms integer, album_art text, is_retired boolean) on commit drop`
  const copying = await tx`copy incoming from stdin`.writable()
  await pipeline(Readable.from(copyText(rows)), copying)
  await tx`analyze incoming`
}

/** https://www.postgresql.org/docs/current/sql-copy.html, text format, in pieces that a socket likes. */
function* copyText(rows: PlacedRow[]): Generator<Buffer> {
  for (let start = 0; start < rows.length; start += 1000) {
    const lines = rows
      .slice(start, start + 1000)
      .map((row) =>
        [
          row.line,
          row.key,
          row.isKeyGiven,
          row.namedKey,
          row.microgenreId,
          row.title,
          row.artist,
          row.year,
          row.youtubeId,
          row.spotifyId,
          row.deezerId,
          row.durationMs,
          row.albumArt,
          row.isRetired,
        ]
          .map(copyCell)
          .join('\t'),
      )
    yield Buffer.from(`${lines.join('\n')}\n`)
  }
}

/** Rows hold no tab and no line end; `readSongRow` saw to it. */
const copyCell = (value: string | number | boolean | null) =>
  value === null ? '\\N' : typeof value === 'string' ? value.replaceAll('\\', '\\\\') : String(value)

/**
 * Which song each row is, what is known of it (`was_`), and why it cannot be taken. By index, song for song:
 * what a batch costs does not grow with the catalogue.
 */
async function findSongs(tx: Queryable): Promise<void> {
  await tx`set local enable_hashjoin = off`
  await tx`set local enable_mergejoin = off`
  await tx`
    create temporary table found on commit drop as
    select c.line, c.key, c.youtube_id, c.spotify_id, c.song_id, c.is_retired,
      coalesce(s.microgenre_id, c.microgenre_id) as microgenre_id,
      c.title, c.artist, c.year, c.deezer_track_id, c.duration_ms, c.album_art,
      s.title as was_title, s.artist as was_artist, s.year as was_year, s.youtube_id as was_youtube_id,
      s.spotify_id as was_spotify_id, s.deezer_track_id as was_deezer_track_id,
      s.duration_ms as was_duration_ms, s.album_art as was_album_art, s.retired_at is not null as was_retired,
      case
        when c.by_youtube <> c.song_id then 'other_youtube'
        when c.by_spotify <> c.song_id then 'other_spotify'
        when s.microgenre_id <> c.microgenre_id then 'other_microgenre'
        when c.song_id is null and c.title is null then 'no_title'
        when c.song_id is null and c.artist is null then 'no_artist'
        when c.song_id is null and c.microgenre_id is null then 'no_microgenre'
        when r.line is not null then 'repeated'
      end as refusal,
      case
        when c.by_youtube <> c.song_id then (select key from songs where id = c.by_youtube)
        when c.by_spotify <> c.song_id then (select key from songs where id = c.by_spotify)
        when s.microgenre_id <> c.microgenre_id then
          s.key || ' is in ' || (select key from microgenres where id = s.microgenre_id)
        when r.line is not null then 'line ' || r.line
      end as told
    from (
      select i.*, y.id as by_youtube, p.id as by_spotify,
        coalesce(case when i.is_key_given then k.id end, y.id, p.id, k.id, n.id) as song_id
      from incoming i
      left join songs k on k.key = i.key
      left join songs y on y.youtube_id = i.youtube_id
      left join songs p on p.spotify_id = i.spotify_id
      left join songs n on n.key = i.named_key and n.microgenre_id = i.microgenre_id
        and lower(n.artist) = lower(i.artist) and lower(n.title) = lower(i.title)
    ) c
    left join songs s on s.id = c.song_id
    left join run_songs r on r.song_id = c.song_id`
  await tx`set local enable_hashjoin = on`
  await tx`set local enable_mergejoin = on`
  await tx`analyze found`
}

/** Of rows that are one song the first is taken, so that one batch or many come to the same. */
async function refuseRepeats(tx: Queryable): Promise<void> {
  for (const column of ['key', 'youtube_id', 'spotify_id', 'song_id']) {
    await tx`
      update found f set refusal = 'repeated', told = 'line ' || first.line
      from (select ${tx(column)} as same, min(line) as line from found
            where refusal is null and ${tx(column)} is not null group by 1 having count(*) > 1) as first
      where first.same = f.${tx(column)} and f.line > first.line and f.refusal is null`
  }
}

/** The words and ids of a song, by which the starter catalogue knows it, and what others found out. */
const OWN = ['title', 'artist', 'year', 'youtube_id', 'spotify_id']
const FOUND_OUT = ['deezer_track_id', 'duration_ms', 'album_art']

/**
 * What the file says of songs that are there. One of the starter catalogue whose words change is the
 * operator's from then on: loading the starter catalogue leaves it alone.
 */
async function changeKnown(
  tx: Queryable,
  update: boolean,
  moved: string[],
): Promise<{ changed: number; differing: number; known: number }> {
  /** What songs have then, beginning from what they have: `s.`, or `f.was_` as it was found. */
  const merged = (has: 's.' | 'f.was_', columns: string[]) =>
    listOf(tx, columns, (column) =>
      update
        ? tx`coalesce(${tx(`f.${column}`)}, ${tx(has + column)})`
        : tx`coalesce(${tx(has + column)}, ${tx(`f.${column}`)})`,
    )
  const all = [...OWN, ...FOUND_OUT]
  await tx`set local enable_hashjoin = off`
  await tx`set local enable_mergejoin = off`
  const changed = await tx<{ id: string }[]>`
    update songs s set
      (${listOf(tx, all, (column) => tx`${tx(column)}`)}) = row (${merged('s.', all)}),
      -- A preview's address belongs to the track that it was found for.
      preview_url = case when s.deezer_track_id is not distinct from ${merged('s.', ['deezer_track_id'])}
                    then s.preview_url end,
      source = case when (${listOf(tx, OWN, (column) => tx`${tx(`s.${column}`)}`)}) is distinct from (${merged('s.', OWN)})
               then 'import' else s.source end
    from found f
    where s.id = f.song_id and f.refusal is null
      and (${listOf(tx, all, (column) => tx`${tx(`f.was_${column}`)}`)}) is distinct from (${merged('f.was_', all)})
    returning s.id`
  await tx`set local enable_hashjoin = on`
  await tx`set local enable_mergejoin = on`
  const [row] = await tx<{ known: number; differing: number }[]>`
    with known as (
      insert into run_songs (song_id, line)
      select song_id, line from found where song_id is not null and refusal is null
      returning line
    )
    select count(*)::int as known,
      count(*) filter (where (${listOf(tx, all, (column) => tx`coalesce(${tx(`f.${column}`)}, ${tx(`f.was_${column}`)})`)})
        is distinct from (${merged('f.was_', all)}))::int as differing
    from known join found f using (line)`
  const ids = new Set([...changed.map(({ id }) => id), ...moved])
  return { changed: ids.size, differing: row?.differing ?? 0, known: row?.known ?? 0 }
}

/** Expressions with commas between. */
function listOf(
  tx: Queryable,
  columns: string[],
  expression: (column: string) => ReturnType<Queryable>,
): ReturnType<Queryable> {
  return columns.map(expression).reduce((list, one) => tx`${list}, ${one}`)
}

/**
 * Retires songs and takes them back, as the file says; gives their ids. One that comes back is added anew,
 * behind the others: a pass that has stepped over its old place would never come to it.
 */
async function moveRetired(tx: Queryable): Promise<string[]> {
  const gone = await tx<{ id: string }[]>`
    with gone as (
      update songs s set retired_at = now(), source = 'import' from found f
      where s.id = f.song_id and f.refusal is null and f.is_retired and not f.was_retired
      returning s.id, s.microgenre_id
    ), counted as (
      update microgenres m set live_song_count = m.live_song_count - g.songs
      from (select microgenre_id, count(*) as songs from gone group by 1) g where g.microgenre_id = m.id
    )
    select id from gone`
  const back = await tx<{ id: string }[]>`
    with back as (
      update songs s set retired_at = null, source = 'import', seq = r.seq
      from (select f.song_id, m.song_count + row_number() over (partition by m.id order by f.line) - 1 as seq
            from found f join microgenres m on m.id = f.microgenre_id
            where f.song_id is not null and f.refusal is null and not f.is_retired and f.was_retired) r
      where s.id = r.song_id
      returning s.id, s.microgenre_id
    ), counted as (
      update microgenres m set live_song_count = m.live_song_count + b.songs, song_count = m.song_count + b.songs
      from (select microgenre_id, count(*) as songs from back group by 1) b where b.microgenre_id = m.id
    )
    select id from back`
  return [...gone, ...back].map(({ id }) => id)
}

async function addNew(tx: Queryable): Promise<number> {
  const added = await tx`
    with added as (
      insert into songs (key, source, microgenre_id, seq, title, artist, year, youtube_id, spotify_id,
        deezer_track_id, duration_ms, album_art, retired_at)
      select f.key, 'import', f.microgenre_id,
        m.song_count + row_number() over (partition by f.microgenre_id order by f.line) - 1,
        f.title, f.artist, f.year, f.youtube_id, f.spotify_id, f.deezer_track_id, f.duration_ms, f.album_art,
        case when f.is_retired then now() end
      from found f join microgenres m on m.id = f.microgenre_id
      where f.song_id is null and f.refusal is null
      returning id, key, microgenre_id, retired_at
    ), counted as (
      update microgenres m set song_count = m.song_count + a.songs, live_song_count = m.live_song_count + a.live
      from (select microgenre_id, count(*) as songs, count(*) filter (where retired_at is null) as live
            from added group by 1) a
      where a.microgenre_id = m.id
    ), seen as (
      insert into run_songs (song_id, line) select a.id, f.line from added a join found f on f.key = a.key
      where f.song_id is null and f.refusal is null
    )
    select count(*)::int as songs from added`
  return added[0]?.songs ?? 0
}
