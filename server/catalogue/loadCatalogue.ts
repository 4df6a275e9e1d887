import type { Catalogue, CatalogueVersion } from '../../catalogue/catalogue.ts'
import { lock } from '../db/advisoryLocks.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { writeMicrogenres } from './microgenreTable.ts'

export interface LoadReport {
  added: number
  changed: number
  retired: number
}

/**
 * Loads the starter catalogue in one transaction. Loading the same or an older version again changes nothing. Songs
 * are matched by key. Songs missing from the catalogue are retired, never deleted, because ratings refer to them;
 * songs that return are restored. Songs that the operator imported or changed keep their values and ids.
 * @throws Error when a song's key has moved to another microgenre, because ratings refer to the microgenre.
 */
export async function loadCatalogue(db: Database, catalogue: Catalogue): Promise<LoadReport> {
  return db.begin(async (tx) => {
    await lock(tx, 'catalogue')
    await tx`set local statement_timeout = '60s'`
    const { version } = catalogue
    if (version && (await hasVersion(tx, version))) return { added: 0, changed: 0, retired: 0 }
    const changedGenres = await writeMicrogenres(tx, catalogue.microgenres, { update: true })
    await tx`
      create temporary table incoming on commit drop as
      select i.*, m.id as microgenre_id
      from jsonb_to_recordset(${tx.json(catalogue.songs)}) as i
        (key text, microgenre text, title text, artist text, year int, youtube_id text, other_youtube_ids text[],
          spotify_id text, duration_ms int)
      join microgenres m on m.key = i.microgenre`
    await excludeImported(tx)
    await preserveFoundVideos(tx)
    await requireSameMicrogenre(tx)
    const retired = await retireMissing(tx)
    await releaseMovedIds(tx)
    const restored = await restoreReturned(tx)
    const changed = restored + (await updateExisting(tx))
    const added = await insertNew(tx)
    await replaceCandidates(tx)
    await countLiveSongs(tx)
    if (version) {
      await tx`
        insert into loaded_catalogue (number, sha256) values (${version.number}, ${version.sha256})
        on conflict (one) do update set number = excluded.number, sha256 = excluded.sha256, loaded_at = now()`
    }
    return { added, changed: changed + changedGenres, retired }
  })
}

/** Returns how many microgenres had another count. Their songs must not change meanwhile. */
export async function countLiveSongs(tx: Queryable): Promise<number> {
  const { count } = await tx`
    update microgenres m set live_song_count = live.songs
    from (select g.id, count(s.id) filter (where s.retired_at is null) as songs
          from microgenres g left join songs s on s.microgenre_id = g.id group by g.id) as live
    where live.id = m.id and m.live_song_count <> live.songs`
  return count
}

/** Whether this version or a newer one is loaded. */
async function hasVersion(tx: Queryable, { number, sha256 }: CatalogueVersion): Promise<boolean> {
  const rows = await tx`
    select from loaded_catalogue c where c.number > ${number} or (c.number = ${number} and c.sha256 = ${sha256})`
  return rows.length > 0
}

async function excludeImported(tx: Queryable): Promise<void> {
  await tx`delete from incoming i using songs s where s.key = i.key and s.source = 'import'`
  await tx`
    update incoming i set youtube_id = null from songs s
    where s.youtube_id = i.youtube_id and s.source = 'import'`
  await tx`
    update incoming i set spotify_id = null from songs s
    where s.spotify_id = i.spotify_id and s.source = 'import'`
}

/**
 * A song whose video is missing from the file, failed for listeners or died keeps the video that was found for it
 * (catalogue-8); one of the catalogue's own, if the catalogue still has it.
 */
async function preserveFoundVideos(tx: Queryable): Promise<void> {
  await tx`
    create temporary table found_videos on commit drop as
    select s.id, s.key, s.youtube_id, s.blocked_video_id, c.source
    from songs s join video_candidates c on c.song_id = s.id and c.video_id = s.youtube_id
    where c.refusal is null`
  await tx`
    update incoming i set youtube_id = s.youtube_id from found_videos s
    where s.key = i.key and (i.youtube_id is null or i.youtube_id = s.blocked_video_id or exists (
        select from video_candidates d where d.song_id = s.id and d.video_id = i.youtube_id
          and d.refusal in ('gone', 'not embeddable', 'unplayable')))
      and (s.source <> 'catalogue' or s.youtube_id = any(i.other_youtube_ids))
      and not exists (select from incoming o where o.youtube_id = s.youtube_id)`
}

async function requireSameMicrogenre(tx: Queryable): Promise<void> {
  const [moved] = await tx<{ key: string; was: string; now: string }[]>`
    select s.key, m.key as was, n.key as now
    from incoming i join songs s on s.key = i.key join microgenres m on m.id = s.microgenre_id
    join microgenres n on n.id = i.microgenre_id
    where s.microgenre_id <> i.microgenre_id limit 1`
  if (!moved) return
  throw new Error(
    `The song '${moved.key}' moved from ${moved.was} to ${moved.now}. A song's microgenre cannot change, because ratings refer to it. Give the song a new key.`,
  )
}

/*
 * Citus updates a reference table only in a part of a statement that does not read a temporary table: hence the
 * materialized parts.
 */

async function retireMissing(tx: Queryable): Promise<number> {
  const retired = await tx<{ id: string }[]>`
    with i as materialized (
      select key from incoming
    ), retired as (
      update songs s set retired_at = now()
      where s.source = 'starter' and s.retired_at is null and not exists (select from i where i.key = s.key)
      returning s.id
    )
    select id from retired`
  return retired.length
}

/** Frees ids that the catalogue now assigns to another song. */
async function releaseMovedIds(tx: Queryable): Promise<void> {
  await tx`
    with i as materialized (
      select key, youtube_id from incoming where youtube_id is not null
    ), freed as (
      update songs s set youtube_id = null from i where s.youtube_id = i.youtube_id and s.key <> i.key
      returning s.id
    )
    select from freed`
  await tx`
    with i as materialized (
      select key, spotify_id from incoming where spotify_id is not null
    ), freed as (
      update songs s set spotify_id = null from i where s.spotify_id = i.spotify_id and s.key <> i.key
      returning s.id
    )
    select from freed`
}

/**
 * A restored song gets a new place at the end, because passes beyond its old place would never reach it. The old
 * place stays empty, like that of a retired song.
 */
async function restoreReturned(tx: Queryable): Promise<number> {
  await tx`select from microgenres order by id for update`
  await tx`
    create temporary table returned on commit drop as
    select s.id, m.song_count + row_number() over (partition by s.microgenre_id order by s.key) - 1 as seq
    from songs s join incoming i on i.key = s.key join microgenres m on m.id = s.microgenre_id
    where s.retired_at is not null`
  const restored = await tx<{ id: string }[]>`
    with r as materialized (
      select id, seq from returned
    ), revived as (
      update songs s set seq = r.seq, retired_at = null from r where s.id = r.id
      returning s.id
    )
    select id from revived`
  await updateSongCounts(tx)
  return restored.length
}

async function updateExisting(tx: Queryable): Promise<number> {
  const changed = await tx<{ id: string }[]>`
    with i as materialized (
      select key, title, artist, year, youtube_id, spotify_id, duration_ms from incoming
    ), changed as (
      update songs s set
        title = i.title, artist = i.artist, year = i.year, youtube_id = i.youtube_id,
        spotify_id = i.spotify_id, duration_ms = coalesce(i.duration_ms, s.duration_ms)
      from i
      where i.key = s.key and ((s.title, s.artist, s.year, s.youtube_id, s.spotify_id)
          is distinct from (i.title, i.artist, i.year, i.youtube_id, i.spotify_id) or
        i.duration_ms is not null and s.duration_ms is distinct from i.duration_ms)
      returning s.id
    )
    select id from changed`
  return changed.length
}

async function insertNew(tx: Queryable): Promise<number> {
  // Passes need `seq` without gaps, so it continues from the microgenre's count, with the row locked.
  await tx`select from microgenres order by id for update`
  const result = await tx`
    insert into songs (key, microgenre_id, seq, title, artist, year, youtube_id, spotify_id, duration_ms)
    select i.key, i.microgenre_id,
      m.song_count + row_number() over (partition by i.microgenre_id order by i.key) - 1,
      i.title, i.artist, i.year, i.youtube_id, i.spotify_id, i.duration_ms
    from incoming i join microgenres m on m.id = i.microgenre_id left join songs s on s.key = i.key
    where s.key is null`
  await updateSongCounts(tx)
  return result.count
}

/** Stores the further videos of the catalogue's songs, which follow when a song's video dies (catalogue-20). */
async function replaceCandidates(tx: Queryable): Promise<void> {
  // What gave way to the catalogue's own waits, unless it failed for listeners.
  await tx`
    with f as materialized (
      select id, youtube_id, blocked_video_id from found_videos
    ), freed as (
      update video_candidates c
      set refusal = case when f.blocked_video_id = f.youtube_id then 'unplayable' else 'not needed' end
      from f join songs s on s.id = f.id
      where c.song_id = f.id and c.video_id = f.youtube_id and s.youtube_id is distinct from f.youtube_id
      returning c.id
    )
    select from freed`
  await tx`
    with i as materialized (
      select key, other_youtube_ids from incoming
    ), removed as (
      delete from video_candidates c using songs s
      where s.id = c.song_id and s.source = 'starter' and c.source = 'catalogue' and c.refusal = 'not needed'
        and not exists (select from i where i.key = s.key and c.video_id = any(i.other_youtube_ids))
      returning c.id
    )
    select from removed`
  // The score keeps their order. The catalogue vouches for a doubtful one.
  await tx`
    insert into video_candidates as c (song_id, video_id, source, score, refusal)
    select s.id, o.video_id, 'catalogue', 100 - o.place, 'not needed'
    from incoming i join songs s on s.key = i.key
    cross join unnest(i.other_youtube_ids) with ordinality as o (video_id, place)
    where s.source = 'starter' and o.video_id is distinct from s.youtube_id
    on conflict (song_id, video_id) do update set source = excluded.source, score = excluded.score,
      refusal = excluded.refusal, detail = null
    where c.refusal not in ('rejected', 'gone', 'not embeddable', 'unplayable')
      and (c.source, c.score, c.refusal) is distinct from (excluded.source, excluded.score, excluded.refusal)`
}

async function updateSongCounts(tx: Queryable): Promise<void> {
  await tx`
    update microgenres m set song_count = counted.songs
    from (select microgenre_id, max(seq) + 1 as songs from songs group by microgenre_id) as counted
    where counted.microgenre_id = m.id and m.song_count < counted.songs`
}
