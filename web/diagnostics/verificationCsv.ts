import { csvCell } from '../../contract/csvCell.ts'
import type { VerifiedSong } from '../../contract/diagnostics.ts'

const columns = [
  'songId',
  'title',
  'artist',
  'youtubeId',
  'spotifyId',
  'youtubeAccessible',
  'youtubeTitle',
  'qualityScore',
  'titleMatch',
  'artistMatch',
  'error',
] as const satisfies readonly (keyof VerifiedSong)[]

/** The results as CSV: a header and a line for each, with the mark by which spreadsheets know UTF-8 (D-23). */
export function verificationCsv(results: readonly VerifiedSong[]): string {
  const lines = results.map((result) => columns.map((column) => csvCell(result[column])).join(','))
  return `\uFEFF${[columns.join(','), ...lines].join('\r\n')}\r\n`
}

/** The name of the file made on that day, where the operator is. */
export function verificationFileName(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `youtube-verification-${day}.csv`
}
