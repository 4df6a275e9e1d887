import type { Fragment, Queryable, Transaction } from '../db/connection.ts'
import type { RowFault } from '../songFiles/read.ts'
import {
  copyRows,
  findSongs,
  type IdColumn,
  type ResolvedRow,
  rejectRepeats,
  repeatedColumns,
  toCopyText,
} from './batchTables.ts'

export interface BatchResult {
  added: number
  /** Existing songs that were filled in, retired or restored. */
  changed: number
  unchanged: number
  /** Existing songs that kept values which differ from the file. */
  differing: number
  rejected: RowFault[]
}

/** Rows in COPY format, prepared while the database merges the previous batch. */
export interface PreparedBatch {
  text: Buffer[]
  repeated: IdColumn[]
}

export const prepareBatch = (rows: ResolvedRow[]): PreparedBatch => ({
  text: toCopyText(rows),
  repeated: repeatedColumns(rows),
})

/**
 * Merges rows into songs. A song is identified by its key, YouTube id, Spotify id or recording, never by title alone.
 * Existing songs only get missing values unless `update`; their microgenre never changes, and none is deleted.
 * @param onSent called when all statements are sent, long before they are answered.
 */
export async function writeBatch(
  tx: Transaction,
  { text, repeated }: PreparedBatch,
  { update, onSent }: { update: boolean; onSent: () => void },
): Promise<BatchResult> {
  await copyRows(tx, text)
  const preparation = [
    preferIndexJoins(tx),
    findSongs(tx),
    preferHashJoins(tx),
    ...rejectRepeats(tx, repeated),
    // Passes need `seq` without gaps, so it continues from the microgenre's count, with the row locked.
    tx`
      select from microgenres where id in (select microgenre_id from found where rejection is null)
      order by id for update`,
    preferIndexJoins(tx),
  ]
  // Sent at once, because the program reads on meanwhile and the database would wait between statements.
  const answers = tx.batch(preparation, [
    update ? retireSongs(tx) : noSongs(tx),
    update ? restoreSongs(tx) : noSongs(tx),
    updateExisting(tx, update),
    preferHashJoins(tx),
    countExisting(tx, update),
    insertNew(tx),
    preferIndexJoins(tx),
    recordAdded(tx),
    tx<RejectedRow[]>`select line, rejection, value from found where rejection is not null order by line`,
  ])
  onSent()
  const [retired, restored, changed, , [known], [added], , , rejected] = await answers
  const changedIds = new Set([...retired, ...restored, ...changed].map(({ id }) => id))
  return {
    added: added?.songs ?? 0,
    changed: changedIds.size,
    unchanged: (known?.known ?? 0) - changedIds.size,
    differing: known?.differing ?? 0,
    rejected: rejected.map(({ line, rejection, value }) => ({ line, ...REJECTIONS[rejection], value })),
  }
}

/**
 * Forces index joins for the next statements, as with songs; `preferHashJoins` is for joins among rows of the batch.
 * The planner cannot choose, because the batch's tables have no statistics and plans are reused.
 */
const preferIndexJoins = (tx: Queryable) =>
  tx`
  select set_config('enable_nestloop', 'on', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('jit', 'off', true)`

const preferHashJoins = (tx: Queryable) =>
  tx`
  select set_config('enable_nestloop', 'off', true), set_config('enable_hashjoin', 'on', true)`

const REJECTIONS = {
  other_youtube: { field: 'youtube_id', reason: 'belongs to another song' },
  other_spotify: { field: 'spotify_id', reason: 'belongs to another song' },
  other_recording: { field: 'recording_mbid', reason: 'belongs to another song' },
  other_microgenre: { field: 'microgenre', reason: 'cannot be changed' },
  no_title: { field: 'title', reason: 'is missing' },
  no_artist: { field: 'artist', reason: 'is missing' },
  no_microgenre: { field: 'microgenre', reason: 'is missing' },
  repeated: { field: null, reason: 'repeats a song of this file' },
} as const

interface RejectedRow {
  line: number
  rejection: keyof typeof REJECTIONS
  value: string | null
}

/** Columns of the starter catalogue, and with those that `enrich` fills in. */
const STARTER_COLUMNS = ['title', 'artist', 'year', 'youtube_id', 'spotify_id']
const ALL_COLUMNS = [
  ...STARTER_COLUMNS,
  'deezer_track_id',
  'recording_mbid',
  'isrc',
  'release_mbid',
  'duration_ms',
  'album_art',
  'audio',
]

/**
 * Applies the file to existing songs. A changed song of the starter catalogue is then the operator's: loading the
 * starter catalogue does not change it back.
 */
function updateExisting(tx: Queryable, update: boolean) {
  const merged = mergedBy(tx, update)
  return tx<{ id: string }[]>`
    with f as materialized (
      select * from found
    ), changed as (
      update songs s set
      (${listOf(tx, ALL_COLUMNS, (column) => tx`${tx(column)}`)}) = row (${merged('s.', ALL_COLUMNS)}),
      -- A preview's address belongs to the track that it was found for.
      preview_url = case when s.deezer_track_id is not distinct from ${merged('s.', ['deezer_track_id'])}
                    then s.preview_url end,
      source = case when (${listOf(tx, STARTER_COLUMNS, (column) => tx`${tx(`s.${column}`)}`)}) is distinct from (${merged('s.', STARTER_COLUMNS)})
               then 'import' else s.source end
      from f
      where s.id = f.song_id and f.rejection is null
        and (${listOf(tx, ALL_COLUMNS, (column) => tx`${tx(`f.was_${column}`)}`)}) is distinct from (${merged('f.was_', ALL_COLUMNS)})
      returning s.id
    )
    select id from changed`
}

/** Also records them as seen by this run, for later batches. */
function countExisting(tx: Queryable, update: boolean) {
  return tx<{ known: number; differing: number }[]>`
    with seen as (
      insert into run_songs (song_id, line)
      select song_id, line from found where song_id is not null and rejection is null
    )
    select count(*)::int as known,
      count(*) filter (where (${listOf(tx, ALL_COLUMNS, (column) => tx`coalesce(${tx(`f.${column}`)}, ${tx(`f.was_${column}`)})`)})
        is distinct from (${mergedBy(tx, update)('f.was_', ALL_COLUMNS)}))::int as differing
    from found f where f.song_id is not null and f.rejection is null`
}

/** The merged values, starting from the current ones (`s.`) or those found before (`f.was_`). */
function mergedBy(tx: Queryable, update: boolean) {
  return (has: 's.' | 'f.was_', columns: string[]) =>
    listOf(tx, columns, (column) =>
      update
        ? tx`coalesce(${tx(`f.${column}`)}, ${tx(has + column)})`
        : tx`coalesce(${tx(has + column)}, ${tx(`f.${column}`)})`,
    )
}

function listOf(tx: Queryable, columns: string[], expression: (column: string) => Fragment): Fragment {
  return columns.map(expression).reduce((list, one) => tx`${list}, ${one}`)
}

const noSongs = (tx: Queryable) => tx<{ id: string }[]>`select id from songs where false`

/** Retires songs as the file says; returns their ids. */
function retireSongs(tx: Queryable) {
  return tx<{ id: string }[]>`
      with f as materialized (
        select * from found
      ), gone as (
        update songs s set retired_at = now(), source = 'import' from f
        where s.id = f.song_id and f.rejection is null and f.is_retired and not f.was_retired
        returning s.id, s.microgenre_id
      ), counted as (
        update microgenres m set live_song_count = m.live_song_count - g.songs
        from (select microgenre_id, count(*) as songs from gone group by 1) g where g.microgenre_id = m.id
      )
      select id from gone`
}

/**
 * Restores retired songs as the file says; returns their ids. A restored song gets a new place at the end, because
 * passes beyond its old place would never reach it.
 */
function restoreSongs(tx: Queryable) {
  return tx<{ id: string }[]>`
      with r as materialized (
        select f.song_id, f.microgenre_id, row_number() over (partition by f.microgenre_id order by f.line) - 1 as place
        from found f
        where f.song_id is not null and f.rejection is null and not f.is_retired and f.was_retired
      ), back as (
        update songs s set retired_at = null, source = 'import', seq = m.song_count + r.place
        from r join microgenres m on m.id = r.microgenre_id
        where s.id = r.song_id
        returning s.id, s.microgenre_id
      ), counted as (
        update microgenres m set live_song_count = m.live_song_count + b.songs, song_count = m.song_count + b.songs,
          retired_at = null
        from (select microgenre_id, count(*) as songs from back group by 1) b where b.microgenre_id = m.id
      )
      select id from back`
}

/** Adds new songs at the end of their microgenres; returns their number. */
function insertNew(tx: Queryable) {
  return tx<{ songs: number }[]>`
    with f as materialized (
      select * from found where song_id is null and rejection is null
    ), added as (
      insert into songs (key, source, microgenre_id, seq, title, artist, year, youtube_id, spotify_id,
        deezer_track_id, recording_mbid, isrc, release_mbid, duration_ms, album_art, audio, retired_at)
      select f.key, 'import', f.microgenre_id,
        m.song_count + row_number() over (partition by f.microgenre_id order by f.line) - 1,
        f.title, f.artist, f.year, f.youtube_id, f.spotify_id, f.deezer_track_id, f.recording_mbid, f.isrc,
        f.release_mbid, f.duration_ms, f.album_art, f.audio, case when f.is_retired then now() end
      from f join microgenres m on m.id = f.microgenre_id
      returning id, key, microgenre_id, retired_at
    ), counted as (
      update microgenres m set song_count = m.song_count + a.songs, live_song_count = m.live_song_count + a.live,
        retired_at = case when a.live = 0 then m.retired_at end
      from (select microgenre_id, count(*) as songs, count(*) filter (where retired_at is null) as live
            from added group by 1) a
      where a.microgenre_id = m.id
    )
    select count(*)::int as songs from added`
}

/** Records added songs as seen by this run, for later batches. */
function recordAdded(tx: Queryable) {
  return tx`
    insert into run_songs (song_id, line)
    select s.id, f.line from found f join songs s on s.key = f.key
    where f.song_id is null and f.rejection is null`
}
