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

/** The results as CSV with a header and a byte order mark, which makes spreadsheets read UTF-8 (diagnostics-9). */
export function verificationCsv(results: readonly VerifiedSong[]): string {
  const lines = results.map((result) => columns.map((column) => csvCell(result[column])).join(','))
  return `\uFEFF${[columns.join(','), ...lines].join('\r\n')}\r\n`
}

/** The file name, with the operator's local date. */
export function verificationFileName(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `youtube-verification-${day}.csv`
}
