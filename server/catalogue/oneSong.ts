import type { WholeAudio } from '../../contract/shapes.ts'
import { lock } from '../db/advisoryLocks.ts'
import type { Transaction } from '../db/connection.ts'
import { createRunTables } from './batchTables.ts'
import { readSongRow } from './songRow.ts'
import { prepareBatch, writeBatch } from './writeBatch.ts'

/*
 * Changes of one song from the desk. It is then the operator's: loading the starter catalogue does not change it
 * back.
 */

export interface SongDetails {
  title: string
  artist: string
  year: number | null
  youtubeId: string | null
  spotifyId: string | null
  deezerTrackId: string | null
  recordingMbid: string | null
}

interface NewSong extends SongDetails {
  audio?: WholeAudio
  releaseMbid?: string | null
  durationMs?: number | null
}

/** Ids that are unique among songs. */
export type UniqueIds = Pick<SongDetails, 'youtubeId' | 'spotifyId' | 'recordingMbid'>

/** A change that is not possible, and why. */
export type ChangeRefusal = { refusal: string }

/** Only one transaction at a time adds or moves songs, as in an import. */
export async function lockCatalogue(tx: Transaction): Promise<void> {
  await lock(tx, 'catalogue')
  // Citus updates reference tables only in this mode after a read of distributed tables.
  await tx`set local citus.multi_shard_modify_mode to 'sequential'`
}

/**
 * Adds a song at the end of its microgenre, as an import of one row does. A retired song of that microgenre with the
 * same ids is restored; one that was retired elsewhere loses its ids. Takes the catalogue's lock.
 */
export async function addSong(
  tx: Transaction,
  microgenreId: string,
  song: NewSong,
): Promise<{ songId: string } | ChangeRefusal> {
  await lockCatalogue(tx)
  const [genre] = await tx<{ name: string }[]>`
    select name from microgenres where id = ${microgenreId} and retired_at is null`
  if (!genre) return { refusal: 'There is no such microgenre.' }
  const parsed = readSongRow(1, {
    microgenre: genre.name,
    title: song.title,
    artist: song.artist,
    retired: 'false',
    ...(song.year === null ? {} : { year: String(song.year) }),
    ...(song.youtubeId === null ? {} : { youtube_id: song.youtubeId }),
    ...(song.spotifyId === null ? {} : { spotify_id: song.spotifyId }),
    ...(song.deezerTrackId === null ? {} : { deezer_id: song.deezerTrackId }),
    ...(song.recordingMbid === null ? {} : { recording_mbid: song.recordingMbid }),
    ...(song.releaseMbid ? { release_mbid: song.releaseMbid } : {}),
    ...(song.durationMs ? { duration_ms: String(song.durationMs) } : {}),
    ...(song.audio
      ? { audio_url: song.audio.url, licence: song.audio.licence, attribution: song.audio.attribution }
      : {}),
  })
  if ('reason' in parsed) return { refusal: `The song's ${parsed.field ?? 'row'} ${parsed.reason}.` }
  const retiredElsewhere = await tx<{ key: string }[]>`
    update songs set youtube_id = null, spotify_id = null, recording_mbid = null
    where retired_at is not null and microgenre_id <> ${microgenreId} and (key = ${parsed.key}
      or youtube_id = ${parsed.youtubeId} or spotify_id = ${parsed.spotifyId} or recording_mbid = ${parsed.recordingMbid})
    returning key`
  // A key stays with its song.
  const row = retiredElsewhere.some(({ key }) => key === parsed.key)
    ? {
        ...parsed,
        key: `${parsed.key.slice(0, 55).replace(/-$/, '')}-in-${microgenreId}`,
        isKeyGiven: true,
        namedKey: null,
      }
    : parsed
  await createRunTables(tx)
  const { rejected } = await writeBatch(tx, prepareBatch([{ ...row, microgenreId }]), {
    update: false,
    onSent() {},
  })
  await tx`drop table run_songs, batch_rows, found`
  const [fault] = rejected
  if (fault) return { refusal: `The song's ${fault.field ?? 'row'} ${fault.reason}: ${fault.value ?? ''}.` }
  const [added] = await tx<{ id: string }[]>`
    select id from songs
    where retired_at is null and (key = ${row.key} or key = ${row.namedKey} or youtube_id = ${row.youtubeId}
      or spotify_id = ${row.spotifyId} or recording_mbid = ${row.recordingMbid})
    order by key = ${row.key} desc, id limit 1`
  if (!added) throw new Error('The added song was not found.')
  return { songId: added.id }
}

/** False when it was already retired. Ratings stay. Takes the catalogue's lock. */
export async function retireSong(tx: Transaction, songId: string): Promise<boolean> {
  await lockCatalogue(tx)
  const [retired] = await tx<{ microgenreId: string }[]>`
    update songs set retired_at = now(), source = 'import' where id = ${songId} and retired_at is null
    returning microgenre_id`
  if (!retired) return false
  await tx`update microgenres set live_song_count = live_song_count - 1 where id = ${retired.microgenreId}`
  return true
}

/**
 * Restores a retired song at the end of its microgenre, because passes beyond its old place would never reach it.
 * False when it was not retired. Takes the catalogue's lock.
 */
export async function restoreSong(tx: Transaction, songId: string): Promise<boolean> {
  await lockCatalogue(tx)
  const [genre] = await tx<{ id: string; songCount: number }[]>`
    select m.id, m.song_count from microgenres m join songs s on s.microgenre_id = m.id
    where s.id = ${songId} and s.retired_at is not null for update of m`
  if (!genre) return false
  await tx`
    update songs set retired_at = null, seq = ${genre.songCount}, source = 'import' where id = ${songId}`
  await tx`
    update microgenres set song_count = song_count + 1, live_song_count = live_song_count + 1
    where id = ${genre.id}`
  return true
}

/** Changes a song's values. Takes the catalogue's lock. */
export async function changeSong(
  tx: Transaction,
  songId: string,
  song: SongDetails,
): Promise<ChangeRefusal | null> {
  await lockCatalogue(tx)
  const other = await findIdConflict(tx, songId, song)
  if (other) return other
  await tx`
    update songs set title = ${song.title}, artist = ${song.artist}, year = ${song.year},
      youtube_id = ${song.youtubeId}, spotify_id = ${song.spotifyId}, recording_mbid = ${song.recordingMbid},
      preview_url = case when (deezer_track_id, title, artist)
        is not distinct from (${song.deezerTrackId}::text, ${song.title}, ${song.artist}) then preview_url end,
      deezer_track_id = ${song.deezerTrackId}, source = 'import'
    where id = ${songId}`
  return null
}

/** Sets a song's unique ids. Takes the catalogue's lock. */
export async function setUniqueIds(
  tx: Transaction,
  songId: string,
  ids: UniqueIds,
): Promise<ChangeRefusal | null> {
  await lockCatalogue(tx)
  const other = await findIdConflict(tx, songId, ids)
  if (other) return other
  await tx`
    update songs set youtube_id = ${ids.youtubeId}, spotify_id = ${ids.spotifyId},
      recording_mbid = ${ids.recordingMbid}
    where id = ${songId}`
  return null
}

async function findIdConflict(
  tx: Transaction,
  songId: string,
  ids: UniqueIds,
): Promise<ChangeRefusal | null> {
  const [other] = await tx<{ title: string; artist: string }[]>`
    select title, artist from songs where id <> ${songId} and (youtube_id = ${ids.youtubeId}
      or spotify_id = ${ids.spotifyId} or recording_mbid = ${ids.recordingMbid}) limit 1`
  return other ? { refusal: `This video or track belongs to ${other.title} by ${other.artist}.` } : null
}
