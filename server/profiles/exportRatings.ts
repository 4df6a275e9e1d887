import { Readable } from 'node:stream'
import { csvCell } from '../../contract/csvCell.ts'
import { DEALT_REASONS } from '../../contract/discovery.ts'
import type { ExportFormat } from '../../contract/profiles.ts'
import type { Database } from '../db/connection.ts'
import { type Answer, fileDownload } from '../http/answers.ts'
import { writeJspf } from './playlistFiles.ts'

interface RatedSong {
  title: string
  artist: string
  microgenre: string
  year: number | null
  rating: 'banger' | 'bust'
  ratedAt: Date
  youtubeId: string | null
  spotifyId: string | null
  recordingMbid: string | null
  durationMs: number | null
}

interface ExportRow extends RatedSong {
  pass: number
  heardSeconds: number | null
  heardSource: string | null
  dealtNumber: number | null
  dealtReason: number | null
  previousBanger: boolean | null
  previousRatedAt: Date | null
}

/** Rows per batch: of a listener with 100,000 ratings only the ids are in memory at once. */
const BATCH_SIZE = 500

/** All ratings of a listener, oldest first, streamed (people-18). */
export function exportRatings(db: Database, listener: string, format: ExportFormat): Answer {
  const { type, write } = FORMATS[format]
  return fileDownload(
    type,
    Readable.from(write(readRatings(db, listener, format === 'jspf'))),
    `banger-or-bust.${format}`,
  )
}

const FORMATS: Record<
  ExportFormat,
  { type: string; write: (rows: AsyncIterable<ExportRow>) => AsyncGenerator<string> }
> = {
  json: { type: 'application/json; charset=utf-8', write: writeJson },
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  jspf: { type: 'application/jspf+json; charset=utf-8', write: (rows) => writeJspf(rows, 'My bangers') },
}

/**
 * Each batch is its own query, so that a slow reader does not block a connection. A song rated again meanwhile moves
 * to the end; it is exported once.
 */
async function* readRatings(db: Database, listener: string, bangersOnly: boolean): AsyncGenerator<ExportRow> {
  const exportedIds = new Set<string>()
  let last = { songId: '0', place: '-infinity' }
  for (;;) {
    const batch = await db<(ExportRow & typeof last)[]>`
      select s.title, s.artist, m.name as microgenre, s.year, r.rated_at, s.youtube_id, s.spotify_id,
        s.recording_mbid, s.duration_ms,
        case when r.banger then 'banger' else 'bust' end as rating, r.song_id, r.rated_at::text as place,
        r.pass, r.heard_seconds, r.heard_source, r.dealt_number, r.dealt_reason, r.previous_banger, r.previous_rated_at
      from ratings r join songs s on s.id = r.song_id join microgenres m on m.id = r.microgenre_id
      where r.user_id = ${listener} and r.rated_at > '-infinity' ${bangersOnly ? db`and r.banger` : db``}
        and r.rated_at >= ${last.place}::text::timestamptz
        and (r.rated_at, r.song_id) > (${last.place}::text::timestamptz, ${last.songId}::bigint)
      order by r.rated_at, r.song_id limit ${BATCH_SIZE}`
    for (const { songId, place, ...row } of batch) {
      if (!exportedIds.has(songId)) yield row
      exportedIds.add(songId)
      last = { songId, place }
    }
    if (batch.length < BATCH_SIZE) return
  }
}

/** All ratings in batches, each with the rating of an earlier pass, which is stored for undo (people-23). */
export async function* readRatingEntries(db: Database, listener: string): AsyncGenerator<object[]> {
  let batch: object[] = []
  for await (const {
    pass,
    heardSeconds,
    heardSource,
    dealtNumber,
    dealtReason,
    previousBanger,
    previousRatedAt,
    ...row
  } of readRatings(db, listener, false)) {
    const previous =
      previousBanger === null
        ? null
        : { rating: previousBanger ? 'banger' : 'bust', ratedAt: previousRatedAt }
    const heard = heardSource === null ? null : { seconds: heardSeconds, source: heardSource }
    batch.push({ ...toRecord(row), pass, heard, dealt: toDealtEntry(dealtNumber, dealtReason), previous })
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** How a song was dealt (discover-49); of an earlier pass only the reason is stored. */
export function toDealtEntry(number: number | null, reason: number | null) {
  if (number === null && reason === null) return null
  const name = DEALT_REASONS[(reason ?? 0) - 1]
  return { number, reason: name ? DEALT_REASON_TEXTS[name] : null }
}

const DEALT_REASON_TEXTS = {
  shuffle: 'next in the shuffle',
  liked: 'listeners of the microgenre like it',
  rare: 'few have heard it',
  taste: 'it fits what the listener banged before',
  'more-like': 'the listener asked for more like a banger',
} satisfies Record<(typeof DEALT_REASONS)[number], string>

async function* writeJson(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const row of rows) {
    yield separator + JSON.stringify(toRecord(row))
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* writeCsv(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  yield '\uFEFFtitle,artist,microgenre,year,rating,ratedAt,youtubeId,spotifyId,durationSeconds\r\n'
  for await (const row of rows) yield `${Object.values(toRecord(row)).map(csvCell).join(',')}\r\n`
}

/** A rating as exported. */
const toRecord = ({ ratedAt, durationMs, ...row }: RatedSong) => ({
  title: row.title,
  artist: row.artist,
  microgenre: row.microgenre,
  year: row.year,
  rating: row.rating,
  ratedAt: ratedAt.toISOString(),
  youtubeId: row.youtubeId,
  spotifyId: row.spotifyId,
  durationSeconds: durationMs === null ? null : durationMs / 1000,
})
