import { Readable } from 'node:stream'
import { EXPORT_FORMS, type ExportCounts, type ExportForm, type LibrarySort } from '../../contract/exports.ts'
import { foldText } from '../../contract/foldText.ts'
import { cleanLine } from '../../contract/texts.ts'
import type { Database } from '../db/connection.ts'
import { type Answer, fileDownload } from '../http/answers.ts'
import { bestAddress, PLAYLIST_WRITERS, type PlaylistSong } from '../profiles/playlistFiles.ts'

/** What My Library shows (library-12). */
interface Filter {
  microgenre?: string | undefined
  search?: string | undefined
}

/** Rows per query. Of a long library only ids and sort texts are in memory at once. */
const BATCH_SIZE = 500

type Choice = Filter & { form: ExportForm; sort: LibrarySort }

/** The bangers of a filter, in the order of the page, as a streamed file (library-32). */
export async function exportBangers(db: Database, listener: string, choice: Choice): Promise<Answer> {
  const { title, genre, songs } = await chooseBangers(db, listener, choice)
  return playlistFile(choice.form, songs, title, `bangers ${genre}`)
}

/** The songs with these ids, in this order, as a file, without those that the form cannot carry (sharing-25). */
export const exportSongs = (db: Database, ids: string[], title: string, form: ExportForm): Answer =>
  playlistFile(form, readSongs(db, ids, form), title, `mix ${title}`)

function playlistFile(form: ExportForm, songs: AsyncGenerator<PlaylistSong>, title: string, name: string) {
  const { mediaType, extension } = EXPORT_FORMS[form]
  const text = Readable.from(PLAYLIST_WRITERS[form](songs, title))
  return fileDownload(`${mediaType}; charset=utf-8`, text, `${toFileName(name)}.${extension}`)
}

/** Those of the bangers of a filter that the form can carry, in the order of the page, and what to call them. */
export async function chooseBangers(
  db: Database,
  listener: string,
  { form, sort, ...filter }: Choice,
): Promise<{ title: string; genre: string; songs: AsyncGenerator<PlaylistSong> }> {
  const songs: { id: string; sortText: string }[] = []
  for await (const song of readBangers(db, listener, filter))
    songs.push({ id: song.songId, sortText: SORT_TEXTS[sort](song) })
  // Equal ones stay in their order, newest first.
  if (sort !== 'newest') songs.sort((a, b) => compare(a.sortText, b.sortText))

  const [genre] = filter.microgenre
    ? await db<{ name: string }[]>`select name from microgenres where id = ${filter.microgenre}`
    : []
  const title = [genre ? `My bangers: ${cleanLine(genre.name)}` : 'My bangers', filter.search]
  const ids = songs.map(({ id }) => id)
  return {
    title: title.filter(Boolean).join(', '),
    genre: genre?.name ?? '',
    songs: readSongs(db, ids, form),
  }
}

/** How many of the bangers of a filter have what the forms need. */
export async function countExport(db: Database, listener: string, filter: Filter): Promise<ExportCounts> {
  const counts: ExportCounts = { songs: 0, isrc: 0, recordingMbid: 0, address: 0, video: 0 }
  for await (const song of readBangers(db, listener, filter))
    for (const [name, has] of Object.entries(HAS)) if (has(song)) counts[name as keyof typeof HAS] += 1
  return counts
}

const HAS: Record<keyof ExportCounts, (song: PlaylistSong) => boolean> = {
  songs: () => true,
  isrc: ({ isrc }) => isrc !== null,
  recordingMbid: ({ recordingMbid }) => recordingMbid !== null,
  address: (song) => bestAddress(song) !== null,
  video: ({ youtubeId }) => youtubeId !== null,
}

/** Folded, with numbers by their value, which are quicker to compare than by a locale. */
const SORT_TEXTS: Record<LibrarySort, (song: PlaylistSong) => string> = {
  newest: () => '',
  artist: ({ artist, title }) => toSortText(artist, title),
  title: ({ artist, title }) => toSortText(title, artist),
  genre: ({ microgenre }) => toSortText(microgenre),
}

const toSortText = (...texts: string[]) =>
  foldText(texts.join('\u0001')).replace(/\d+/g, (digits) => digits.padStart(12, '0'))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const toFileName = (text: string) =>
  foldText(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The bangers of a filter, newest first. Each batch is its own query, so that none blocks a connection. */
async function* readBangers(
  db: Database,
  listener: string,
  { microgenre, search = '' }: Filter,
): AsyncGenerator<PlaylistSong & { songId: string }> {
  const words = foldText(search).split(' ').filter(Boolean)
  let last = { place: 'infinity', songId: '9223372036854775807' }
  for (;;) {
    const batch = await db<(PlaylistSong & typeof last)[]>`
      select ${songColumns(db)}, r.song_id, r.rated_at::text as place
      from ratings r join songs s on s.id = r.song_id join microgenres m on m.id = r.microgenre_id
      where r.user_id = ${listener} and r.banger and r.rated_at > '-infinity'
        ${microgenre ? db`and r.microgenre_id = ${microgenre}` : db``}
        and r.rated_at <= ${last.place}::text::timestamptz
        and (r.rated_at, r.song_id) < (${last.place}::text::timestamptz, ${last.songId}::bigint)
      order by r.rated_at desc, r.song_id desc limit ${BATCH_SIZE}`
    for (const song of batch) {
      const text = words.length > 0 ? foldText(`${song.title} ${song.artist} ${song.microgenre}`) : ''
      if (words.every((word) => text.includes(word))) yield song
      last = song
    }
    if (batch.length < BATCH_SIZE) return
  }
}

/** The songs with these ids, in this order, that have what the form needs. */
async function* readSongs(db: Database, ids: string[], form: ExportForm): AsyncGenerator<PlaylistSong> {
  const canCarry = HAS[EXPORT_FORMS[form].needs]
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const batch = await db<PlaylistSong[]>`
      select ${songColumns(db)}
      from unnest(${ids.slice(from, from + BATCH_SIZE)}::bigint[]) with ordinality as wanted (id, place)
      join songs s on s.id = wanted.id join microgenres m on m.id = s.microgenre_id
      order by wanted.place`
    for (const song of batch)
      if (canCarry(song))
        yield {
          ...song,
          title: cleanLine(song.title),
          artist: cleanLine(song.artist),
          microgenre: cleanLine(song.microgenre),
        }
  }
}

const songColumns = (db: Database) => db`
  s.title, s.artist, m.name as microgenre, s.year, s.isrc, s.recording_mbid, s.youtube_id, s.spotify_id,
  s.deezer_track_id, s.duration_ms`
