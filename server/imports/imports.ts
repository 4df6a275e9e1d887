import type { BodyOf, QueryOf } from '../../contract/endpoint.ts'
import {
  type createImport as createEndpoint,
  type Import,
  type ImportSong,
  type listImportSongs as listSongsEndpoint,
  MAX_IMPORT_BYTES,
  MAX_OPEN_IMPORTS,
} from '../../contract/imports.ts'
import { listAchievements } from '../achievements/achievements.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import { isObjectKey } from '../integrations/storage/ObjectStore.ts'
import { readCatalogueSongs } from '../suggestions/catalogueSongs.ts'
import type { StoredUpload } from '../uploads/discardUpload.ts'
import { noSuchUpload } from '../uploads/receiveUpload.ts'
import type { ImportChoices } from './applyImport.ts'
import { discardFile } from './sweepImports.ts'

const noSuchImport = () => new HttpError(404, 'There is no such import.')
const busy = (message: string) => new HttpError(409, message)

/**
 * Makes an import of an uploaded file. It replaces one that could not be read for want of columns.
 * @throws HttpError 404 for a file that is not the listener's, 409 while another import reads it, or for too many
 */
export async function createImport(
  context: Context,
  listener: string,
  { key, columns }: BodyOf<typeof createEndpoint>,
): Promise<Import> {
  const { db, integrations } = context
  const [upload] = await db<(StoredUpload & { fileName: string | null })[]>`
    select key, upload_id, file_name from uploads
    where key = ${key} and user_id = ${listener} and purpose = 'import' and discarded_at is null and expires_at > now()`
  const size = upload && isObjectKey(key) ? await integrations.store.measure(key) : null
  if (!upload || size === null) throw noSuchUpload()
  if (size > MAX_IMPORT_BYTES) throw new HttpError(413, 'The file is too large. It can have at most 500 MB.')
  const id = await db.begin(async (tx) => {
    const [user] = await tx`select from users where id = ${listener} for no key update`
    if (!user) throw signInRequired()
    await tx`delete from imports where user_id = ${listener} and upload_key = ${key} and header is not null`
    const open = await tx<{ isSame: boolean }[]>`
      select upload_key is not distinct from ${key} as is_same from imports
      where user_id = ${listener} and status not in ('applied', 'failed')`
    if (open.some(({ isSame }) => isSame)) throw busy('This file is being read already.')
    if (open.length >= MAX_OPEN_IMPORTS)
      throw busy(`You have ${MAX_OPEN_IMPORTS} imports that wait for you. Please apply or discard one first.`)
    const [row] = await tx<{ id: string }[]>`
      insert into imports (user_id, upload_key, file_name, columns, bytes_total)
      values (${listener}, ${key}, ${upload.fileName}, ${columns ?? null}, ${size}) returning id`
    return row?.id ?? ''
  })
  return getImport(db, listener, id)
}

interface Row extends Omit<Import, 'achievements' | 'createdAt' | 'appliedAt'> {
  /** Ids. */
  achievements: string[]
  createdAt: Date
  appliedAt: Date | null
}

/** The listener's imports, newest first, or the one with this id. */
export async function listImports(
  db: Database,
  listener: string,
  id: string | null = null,
): Promise<Import[]> {
  // Not joined: they can be on another machine.
  const [rated = { songs: [], imports: [] }] = await db<{ songs: string[]; imports: string[] }[]>`
    select coalesce(array_agg(song_id), '{}') as songs, coalesce(array_agg(coalesce(import_id, 0)), '{}') as imports
    from ratings where user_id = ${listener}`
  const rows = await db<Row[]>`
    select i.id, i.upload_key as key, i.file_name, i.sources, i.status, i.error, i.header, i.left_out, i.created_at,
      json_build_object('bytes', i.bytes_read, 'size', i.bytes_total, 'rows', i.rows_read) as progress,
      i.applied_at, jsonb_array_length(i.collections) as collections, i.achievements, n.*
    from imports i cross join lateral (
      select json_build_object('known', count(*) filter (where heap = 'known'),
          'doubtful', count(*) filter (where heap = 'doubtful'),
          'unknown', count(*) filter (where heap = 'unknown')) as heaps,
        count(distinct song_id) filter (where verdict and is_new)::int as bangers,
        count(distinct song_id) filter (where not verdict and is_new)::int as busts,
        count(distinct song_id) filter (where plays > 0 and (heap = 'known' or is_same)
          and coalesce((i.choices->>'plays')::boolean, true))::int as plays
      from (
        -- What was rated before stays; what was applied is what this import rated.
        select s.*, (heap = 'known' or is_same) and case when i.applied_at is null
          then r.song_id is null or r.import_id = i.id else r.import_id = i.id end as is_new
        from import_songs s
        left join unnest(${rated.songs}::bigint[], ${rated.imports}::bigint[]) r (song_id, import_id) using (song_id)
        where s.import_id = i.id) s) n
    where i.user_id = ${listener} and (${id}::bigint is null or i.id = ${id})
    order by i.id desc`
  const isAny = rows.some(({ achievements }) => achievements.length > 0)
  const unlocked = isAny ? await listAchievements(db, listener) : []
  return rows.map(({ achievements, createdAt, appliedAt, ...row }) => ({
    ...row,
    achievements: unlocked.filter(({ id: each }) => achievements.includes(each)),
    createdAt: createdAt.toISOString(),
    appliedAt: appliedAt?.toISOString() ?? null,
  }))
}

/** @throws HttpError 404 */
export async function getImport(db: Database, listener: string, id: string): Promise<Import> {
  const [found] = await listImports(db, listener, id)
  if (!found) throw noSuchImport()
  return found
}

type SongIds = Record<'spotifyId' | 'youtubeId' | 'recordingMbid', string | null>
interface SongRow extends SongIds, Pick<ImportSong, 'place' | 'title' | 'artist' | 'plays' | 'isSame'> {
  verdict: boolean | null
  ratedAt: Date | null
  songId: string | null
}

/** @throws HttpError 404 */
export async function listSongs(
  db: Database,
  env: Env,
  listener: string,
  id: string,
  { heap, after, limit = 50 }: QueryOf<typeof listSongsEndpoint>,
): Promise<ImportSong[]> {
  await requireImport(db, listener, id)
  const rows = await db<SongRow[]>`
    select s.place, s.title, s.artist, s.verdict, s.plays, s.rated_at, s.is_same, s.song_id, s.spotify_id,
      s.youtube_id, s.recording_mbid
    from import_songs s
    where s.import_id = ${id} and s.heap = ${heap} and (${after ?? null}::int is null
      or (s.verdict is null, -s.plays, s.place) > (
        select a.verdict is null, -a.plays, a.place from import_songs a where a.import_id = ${id} and a.place = ${after ?? 0}))
    order by s.verdict is null, -s.plays, s.place limit ${limit}`
  const ids = rows.flatMap(({ songId }) => songId ?? [])
  const songs = await readCatalogueSongs(db, env, ids)
  return rows.map(({ verdict, ratedAt, songId, spotifyId, youtubeId, recordingMbid, ...row }) => ({
    ...row,
    verdict: verdict === null ? null : verdict ? 'banger' : 'bust',
    at: ratedAt?.toISOString() ?? null,
    song: songs.get(songId ?? '') ?? null,
    address: addressOf({ spotifyId, youtubeId, recordingMbid }),
  }))
}

function addressOf({ spotifyId, youtubeId, recordingMbid }: SongIds): string | null {
  if (spotifyId) return `https://open.spotify.com/track/${spotifyId}`
  if (youtubeId) return `https://www.youtube.com/watch?v=${youtubeId}`
  return recordingMbid && `https://musicbrainz.org/recording/${recordingMbid}`
}

/** Stores whether a doubtful song is the proposed one. @throws HttpError 404, 409 */
export async function answerSong(
  db: Database,
  listener: string,
  id: string,
  place: string,
  isSame: boolean | null,
): Promise<void> {
  const answered = await db`
    update import_songs s set is_same = ${isSame} from imports i
    where i.id = s.import_id and i.id = ${id} and i.user_id = ${listener} and i.status = 'ready'
      and s.place = ${place} and s.heap = 'doubtful'`
  if (answered.count > 0) return
  await requireImport(db, listener, id)
  throw busy('This song cannot be answered for now.')
}

/** Leaves the import to the job that applies it. @throws HttpError 404, 409 */
export async function startApplying(
  db: Database,
  listener: string,
  id: string,
  choices: ImportChoices,
): Promise<Import> {
  const started = await db`
    update imports set status = 'applying', choices = ${db.json(choices)}, updated_at = '-infinity'
    where id = ${id} and user_id = ${listener} and status = 'ready'`
  const found = await getImport(db, listener, id)
  if (started.count === 0) throw busy('This import is not ready, or it was applied already.')
  return found
}

/** Cancels, discards or takes back: what was applied is left to the job. @throws HttpError 404 */
export async function removeImport(context: Context, listener: string, id: string): Promise<Import | null> {
  const { db } = context
  const reverting = await db`
    update imports set status = 'reverting', updated_at = case status when 'applied' then '-infinity' else updated_at end
    where id = ${id} and user_id = ${listener} and status in ('applying', 'applied')`
  if (reverting.count === 0) {
    await requireImport(db, listener, id)
    const [removed] = await db<{ key: string | null }[]>`
      delete from imports where id = ${id} and user_id = ${listener} and status in ('waiting', 'reading', 'ready', 'failed')
      returning upload_key as key`
    if (removed?.key) await discardFile(context, removed.key)
  }
  const [found] = await listImports(db, listener, id)
  return found ?? null
}

async function requireImport(db: Database, listener: string, id: string): Promise<void> {
  const [found] = await db`select from imports where id = ${id} and user_id = ${listener}`
  if (!found) throw noSuchImport()
}
