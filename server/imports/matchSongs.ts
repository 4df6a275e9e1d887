import type { Heap } from '../../contract/imports.ts'
import type { Queryable } from '../db/connection.ts'
import { wordsOf } from '../playback/matchScore.ts'
import { titleKey } from '../suggestions/songKey.ts'
import { type FileSong, plainTitle, versionOf } from './fileSong.ts'

interface Row {
  id: string
  title: string
  artist: string
  titleKey: string
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

const columns = (db: Queryable) => db`
  select s.id, s.title, s.artist, s.title_key, m.name as microgenre, s.spotify_id, s.youtube_id, s.recording_mbid, s.isrc
  from songs s join microgenres m on m.id = s.microgenre_id`

/** The songs of the catalogue whose title names a version, by their plain title. */
export async function readVersions(db: Queryable): Promise<Map<string, Row[]>> {
  const rows = await db<Row[]>`
    ${columns(db)} where s.retired_at is null and s.title ~ '[[(]|\\s[-–—]\\s' order by s.id limit 100000`
  return group(rows, (row) => titleKey(plainTitle(row.title)))
}

/**
 * Which songs of the catalogue these are: by an id, else by artist and title (imports-12). Only those that surely are the
 * same are `known`. Titles of the catalogue must be folded.
 */
export async function matchSongs(
  db: Queryable,
  songs: FileSong[],
  versions: Map<string, Row[]>,
): Promise<Match[]> {
  const ids = (name: 'spotifyId' | 'youtubeId' | 'recordingMbid' | 'isrc') =>
    songs.flatMap((song) => song[name] ?? [])
  const titles = [
    ...new Set(songs.flatMap((song) => (song.title ? titlesOf(song).map(({ key }) => key) : []))),
  ]
  const rows = await db<Row[]>`
    ${columns(db)} where s.retired_at is null and (
      s.spotify_id = any(${ids('spotifyId')}::text[]) or s.youtube_id = any(${ids('youtubeId')}::text[])
      or s.recording_mbid = any(${ids('recordingMbid')}::text[]) or s.isrc = any(${ids('isrc')}::text[])
      or s.title_key = any(${titles}::text[]))
    order by s.id`
  const byTitle = group(rows, (row) => row.titleKey)
  const byId = new Map<string | null, Row>()
  for (const row of rows)
    for (const id of [row.spotifyId, row.youtubeId, row.recordingMbid]) if (id) byId.set(id, row)
  const byIsrc = group(rows, (row) => row.isrc)
  return songs.map((song) => {
    const same = byId.get(song.spotifyId) ?? byId.get(song.youtubeId) ?? byId.get(song.recordingMbid)
    if (same) return { heap: 'known', songId: same.id }
    // Labels gave one code to several recordings.
    const coded = (song.isrc && byIsrc.get(song.isrc)) || []
    const [code] = coded
    if (code && coded.length === 1 && (!song.title || isSameTitle(song, code)))
      return { heap: 'known', songId: code.id }
    const alike = song.title && song.artist ? findAlike(song, byTitle, versions) : null
    return alike ?? (code ? { heap: 'doubtful', songId: code.id } : { heap: 'unknown', songId: null })
  })
}

const isSameTitle = (song: FileSong, row: Row) =>
  row.titleKey === song.titleKey && versionOf(row.title) === song.version

function findAlike(
  song: FileSong,
  byTitle: Map<string | null, Row[]>,
  versions: Map<string | null, Row[]>,
): Match | null {
  const best = (rows: Row[]) => rows.find(({ microgenre }) => microgenre === song.microgenre) ?? rows[0]
  const sure = best(
    (byTitle.get(song.titleKey) ?? []).filter(
      (row) => isSameTitle(song, row) && titleKey(row.artist) === song.artistKey,
    ),
  )
  if (sure) return { heap: 'known', songId: sure.id }
  for (const { key, artist } of titlesOf(song)) {
    const rows = [...(byTitle.get(key) ?? []), ...(versions.get(key) ?? [])]
    const near = best(rows.filter((row) => isNear(row.artist, artist)))
    if (near) return { heap: 'doubtful', songId: near.id }
  }
  return null
}

/** The titles of songs that it may be: its own, without a version, and what follows an artist ('Artist - Title'). */
function titlesOf({ title, artist, titleKey: key }: FileSong): { key: string; artist: string }[] {
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
  const [x, y] = [pairsOf(titleKey(one)), pairsOf(titleKey(other))]
  const equal = [...x].filter((pair) => y.has(pair)).length
  return x.size + y.size === 0 ? titleKey(one) === titleKey(other) : (2 * equal) / (x.size + y.size) >= 0.75
}

const pairsOf = (text: string) =>
  new Set(Array.from({ length: text.length - 1 }, (_, n) => text.slice(n, n + 2)))

function group<K>(rows: Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const others = groups.get(key)
    if (others) others.push(row)
    else groups.set(key, [row])
  }
  return groups
}
