import leven from 'leven'
import type { Heap } from '../../contract/imports.ts'
import type { Queryable } from '../db/connection.ts'
import { wordsOf } from '../playback/matchScore.ts'
import { titleKey } from '../suggestions/songKey.ts'
import { type FileSong, plainTitle, recordingKey, versionOf } from './fileSong.ts'

interface Row {
  id: string
  title: string
  artist: string
  microgenre: string
  spotifyId: string | null
  youtubeId: string | null
  recordingMbid: string | null
  isrc: string | null
}

export interface Match {
  heap: Heap
  /** The song of the catalogue, or the one that is proposed. */
  songId: string | null
}

/**
 * Which songs of the catalogue these are: by an id, else by artist and title (imports-12). Only those that surely are the
 * same are `known`. Null for a video without a name: nobody knows that it is music. Titles of the catalogue must be folded.
 */
export async function matchSongs(db: Queryable, songs: FileSong[]): Promise<(Match | null)[]> {
  const ids = (name: 'spotifyId' | 'youtubeId' | 'recordingMbid' | 'isrc') =>
    songs.flatMap((song) => song[name] ?? [])
  const keys = [...new Set(songs.flatMap((song) => titlesOf(song).map(({ key }) => key)))]
  // The column leaves these letters out.
  const plainKeys = keys.map((key) => key.replaceAll('and', '').replaceAll('the', '')).filter(Boolean)
  const rows = await db<Row[]>`
    select s.id, s.title, s.artist, m.name as microgenre, s.spotify_id, s.youtube_id, s.recording_mbid, s.isrc
    from songs s join microgenres m on m.id = s.microgenre_id
    where s.retired_at is null and (
      s.spotify_id = any(${ids('spotifyId')}::text[]) or s.youtube_id = any(${ids('youtubeId')}::text[])
      or s.recording_mbid = any(${ids('recordingMbid')}::text[]) or s.isrc = any(${ids('isrc')}::text[])
      or s.title_key = any(${keys}::text[]) or s.plain_title = any(${plainKeys}::text[]))
    order by s.id`
  const byId = new Map<string | null, Row>()
  for (const row of rows)
    for (const id of [row.spotifyId, row.youtubeId, row.recordingMbid]) if (id) byId.set(id, row)
  const byIsrc = group(rows, ({ isrc }) => (isrc ? [isrc] : []))
  const byTitle = group(rows, ({ title }) => [recordingKey(title), titleKey(plainTitle(title))])
  return songs.map((song) => {
    const same = byId.get(song.spotifyId) ?? byId.get(song.youtubeId) ?? byId.get(song.recordingMbid)
    if (same) return { heap: 'known', songId: same.id }
    // Labels gave one code to several recordings.
    const coded = byIsrc.get(song.isrc ?? '') ?? []
    const [code] = coded
    if (code && coded.length === 1 && (!song.title || isSameTitle(song, code)))
      return { heap: 'known', songId: code.id }
    const alike = song.title && song.artist ? findAlike(song, byTitle) : null
    if (alike) return alike
    if (code) return { heap: 'doubtful', songId: code.id }
    const isVideo = !song.title && !song.spotifyId && !song.recordingMbid && !song.isrc
    return isVideo ? null : { heap: 'unknown', songId: null }
  })
}

const isSameTitle = (song: FileSong, row: Row) =>
  recordingKey(row.title) === song.titleKey && versionOf(row.title) === song.version

function findAlike(song: FileSong, byTitle: Map<string, Row[]>): Match | null {
  const best = (rows: Row[]) => rows.find(({ microgenre }) => microgenre === song.microgenre) ?? rows[0]
  const sure = best(
    (byTitle.get(song.titleKey) ?? []).filter(
      (row) => isSameTitle(song, row) && titleKey(row.artist) === song.artistKey,
    ),
  )
  if (sure) return { heap: 'known', songId: sure.id }
  for (const { key, artist } of titlesOf(song)) {
    const near = best((byTitle.get(key) ?? []).filter((row) => isNear(row.artist, artist)))
    if (near) return { heap: 'doubtful', songId: near.id }
  }
  return null
}

/** The titles of songs that it may be: its own, without a version, and what follows an artist ('Artist - Title'). */
function titlesOf({ title, artist, titleKey: key }: FileSong): { key: string; artist: string }[] {
  if (!title) return []
  const [, before, after] = /^(.+?)\s[-–—]\s(.+)$/.exec(title) ?? []
  return [
    { key, artist },
    { key: titleKey(plainTitle(title)), artist },
    ...(before && after ? [{ key: titleKey(plainTitle(after)), artist: before }] : []),
  ]
}

/** Whether one may be the other: it names more of the artists, or is spelled almost the same. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const shared = [...a].filter((word) => b.has(word)).length
  if (shared > 0 && shared === Math.min(a.size, b.size)) return true
  const [x, y] = [titleKey(one), titleKey(other)]
  return leven(x, y) <= Math.min(x.length, y.length) / 5
}

function group(rows: Row[], keysOf: (row: Row) => string[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows)
    for (const key of new Set(keysOf(row))) {
      const others = groups.get(key)
      if (others) others.push(row)
      else groups.set(key, [row])
    }
  return groups
}
