import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './shapes.ts'
import { Line, maxCharacters } from './texts.ts'

/** Videos of one YouTube address; YouTube ignores the rest. */
export const MAX_VIDEOS_PER_ADDRESS = 50

export const LIBRARY_SORTS = ['newest', 'artist', 'title', 'genre'] as const
export type LibrarySort = (typeof LIBRARY_SORTS)[number]

/** How many songs an export has, and how many of them have what a form needs. */
export const ExportCounts = z.object({
  songs: z.int(),
  isrc: z.int(),
  recordingMbid: z.int(),
  /** At YouTube, Spotify or Deezer. */
  address: z.int(),
  video: z.int(),
})
export type ExportCounts = z.infer<typeof ExportCounts>

interface ExportFormDefinition {
  name: string
  extension: string
  mediaType: string
  /** Songs without it are left out. */
  needs: keyof ExportCounts
  /** Where it can be taken. */
  takenBy: string
}

/** The forms of a playlist file, those that most services accept first (library-32). */
export const EXPORT_FORMS = {
  csv: {
    name: 'CSV',
    extension: 'csv',
    mediaType: 'text/csv',
    needs: 'songs',
    takenBy: 'TuneMyMusic, Soundiiz, spreadsheets',
  },
  text: {
    name: 'Text',
    extension: 'txt',
    mediaType: 'text/plain',
    needs: 'songs',
    takenBy: 'TuneMyMusic, Soundiiz: ‘artist - title’, to paste',
  },
  jspf: {
    name: 'JSPF',
    extension: 'jspf',
    mediaType: 'application/jspf+json',
    needs: 'recordingMbid',
    takenBy: 'ListenBrainz',
  },
  xspf: {
    name: 'XSPF',
    extension: 'xspf',
    mediaType: 'application/xspf+xml',
    needs: 'songs',
    takenBy: 'Soundiiz, VLC, Strawberry',
  },
  m3u8: {
    name: 'M3U8',
    extension: 'm3u8',
    mediaType: 'application/vnd.apple.mpegurl',
    needs: 'address',
    takenBy: 'Soundiiz, mpv',
  },
  youtube: {
    name: 'YouTube',
    extension: 'youtube.txt',
    mediaType: 'text/plain',
    needs: 'video',
    takenBy: `Addresses of ${MAX_VIDEOS_PER_ADDRESS} videos each, for a browser. They may stop working`,
  },
} satisfies Record<string, ExportFormDefinition>

export const ExportForm = z.enum(['csv', 'text', 'jspf', 'xspf', 'm3u8', 'youtube'])
export type ExportForm = z.infer<typeof ExportForm>

/** The bangers that a page shows. */
export const ExportFilter = z.object({
  microgenre: z.optional(Id),
  search: z.optional(Line.check(maxCharacters(200))),
})

export const ExportSort = z._default(z.enum(LIBRARY_SORTS), 'newest')

export const countExport = endpoint('GET /api/users/me/bangers/export/counts', {
  access: 'signed-in',
  scope: 'export',
  summary: 'How many of the bangers, or of those that the filter leaves, each form can carry (library-32).',
  query: ExportFilter,
  response: ExportCounts,
})

export const exportBangers = endpoint('GET /api/users/me/bangers/export', {
  access: 'signed-in',
  scope: 'export',
  isStable: true,
  summary: 'The bangers, or those that the filter leaves, as a file that other services accept (library-32).',
  query: z.extend(ExportFilter, { form: ExportForm, sort: ExportSort }),
  answers: 'file',
})
