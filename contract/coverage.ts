import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What is known about songs that are not retired (diagnostics-25). */
export const Coverage = z.object({
  songs: z.int(),
  /** With a recording at MusicBrainz. */
  identified: z.int(),
  /** With a video that is not blocked. */
  withVideo: z.int(),
  /** With a Deezer track, which has the preview. */
  withPreview: z.int(),
  withSpotify: z.int(),
  /** Songs without a single play. */
  heardByNobody: z.int(),
})
export type Coverage = z.infer<typeof Coverage>

export const MicrogenreCoverage = z.extend(Coverage, { microgenre: z.string() })
export type MicrogenreCoverage = z.infer<typeof MicrogenreCoverage>

/** Songs by what is known of their video, and the last days (diagnostics-27). */
export const VideoChecks = z.object({
  unproven: z.int(),
  plays: z.int(),
  /** Players that reported it count, too. */
  notEmbeddable: z.int(),
  gone: z.int(),
  checkedLately: z.int(),
  /** Videos that were found dead in the last days, and in as many days before. */
  diedLately: z.int(),
  diedBefore: z.int(),
})
export type VideoChecks = z.infer<typeof VideoChecks>

/** The days of 'lately', for the trend. */
export const TREND_DAYS = 30

export const getCoverage = endpoint('GET /api/debug/coverage', {
  access: 'diagnostics',
  summary:
    'How many songs are identified, have a video, a preview and a Spotify id, and were never played: in total and by microgenre (diagnostics-25).',
  response: z.object({
    all: Coverage,
    videos: VideoChecks,
    /** By name. */
    microgenres: z.array(MicrogenreCoverage),
  }),
})

/** The figures in the order of their columns. */
export const COVERAGE_COLUMNS = [
  { of: 'identified', name: 'Identified' },
  { of: 'withVideo', name: 'Video' },
  { of: 'withPreview', name: 'Preview' },
  { of: 'withSpotify', name: 'Spotify id' },
  { of: 'heardByNobody', name: 'Heard by nobody' },
] as const satisfies readonly { of: keyof Coverage; name: string }[]

export type CoverageFigure = (typeof COVERAGE_COLUMNS)[number]['of']

/** The states with their shares, and the trend. */
export function describeVideoChecks(checks: VideoChecks): string {
  const { unproven, plays, notEmbeddable, gone, checkedLately, diedLately, diedBefore } = checks
  const all = unproven + plays + notEmbeddable + gone
  const share = (count: number) =>
    `${count.toLocaleString('en')} (${all === 0 ? 0 : Math.round((100 * count) / all)}%)`
  return (
    `Of ${all.toLocaleString('en')} videos ${share(plays)} play, ${share(unproven)} are unproven, ` +
    `${share(notEmbeddable)} cannot be embedded, ${share(gone)} are gone. ` +
    `In the last ${TREND_DAYS} days ${checkedLately.toLocaleString('en')} were checked and ` +
    `${diedLately.toLocaleString('en')} found dead, ${diedBefore.toLocaleString('en')} in the ${TREND_DAYS} days before.`
  )
}

/** Percent of the songs; null without songs. Only none is 0, and only all is 100. */
export function coveragePercent(row: Coverage, of: CoverageFigure): number | null {
  if (row.songs === 0) return null
  return row[of] === 0 ? 0 : Math.max(1, Math.floor((100 * row[of]) / row.songs))
}

/**
 * Sorts by the share of songs with a gap, then by their number, largest first. Microgenres without songs come first.
 */
export function sortByCoverageGap(
  rows: readonly MicrogenreCoverage[],
  of: CoverageFigure,
): readonly MicrogenreCoverage[] {
  const share = (row: Coverage) => (row.songs === 0 ? 2 : gapOf(row, of) / row.songs)
  return [...rows].sort((a, b) => share(b) - share(a) || gapOf(b, of) - gapOf(a, of))
}

const gapOf = (row: Coverage, of: CoverageFigure) =>
  of === 'heardByNobody' ? row.heardByNobody : row.songs - row[of]
