import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PreviewAnswer } from './playback.ts'
import { IdParams, Song } from './shapes.ts'

/* What people without an account hear and rate (visitors-1). With VISITORS=off these calls do not exist. */

export const VisitorSong = z.extend(
  z.pick(Song, {
    id: true,
    title: true,
    artist: true,
    albumArt: true,
    youtubeId: true,
    youtubeBlocked: true,
    audio: true,
  }),
  { microgenre: z.object({ key: z.string(), name: z.string(), color: z.string() }) },
)
export type VisitorSong = z.infer<typeof VisitorSong>

export const getVisitorPreview = endpoint('GET /api/visitors/songs/:id/preview', {
  params: IdParams,
  access: 'public',
  summary:
    'A 30-second preview of a song. Whatever the number of visitors, a song is looked up at most once in 15 minutes (visitors-3).',
  response: PreviewAnswer,
})

interface NamedMicrogenre {
  key: string
  name: string
  color: string
}

/** The page of a microgenre for everybody (visitors-4). */
export interface MicrogenrePage extends NamedMicrogenre {
  id: string
  description: string
  /** The nearest on the map, the nearest first. */
  near: NamedMicrogenre[]
  /** The songs that listeners agree most are bangers, from MIN_LISTENERS raters on, without figures. */
  bangers: { title: string; artist: string }[]
  /** What the page plays today. */
  songs: VisitorSong[]
}

export const microgenrePath = (key: string) => `/microgenres/${key}`

export const getRobots = endpoint('GET /robots.txt', {
  access: 'public',
  summary: 'What search engines may read, and the address of the sitemap (visitors-5).',
  answers: 'document',
})

export const getSitemap = endpoint('GET /sitemap.xml', {
  access: 'public',
  summary: 'The pages that search engines may list (visitors-5).',
  answers: 'document',
})

/** The headings of a microgenre's page. */
export const [AGREED_BANGERS, RELATED_MICROGENRES] = ['Most agreed bangers', 'Related microgenres']

/** The id of the element in the HTML with a `MicrogenrePageData`. */
export const PAGE_DATA_ID = 'page-data'

/** `page` is null where there is no such microgenre. */
export interface MicrogenrePageData {
  key: string
  page: MicrogenrePage | null
}

/** Songs of one microgenre that a visitor rates (visitors-20). */
export const TRYOUT_SONGS = 10

export const getTryout = endpoint('GET /api/visitors/tryout', {
  access: 'public',
  summary:
    'Songs of a microgenre that surely play, in a random order, for visitors to rate; of one with many such songs if none is named. `other` is the key of another one, if there is one (visitors-20).',
  query: z.object({ microgenre: z.optional(z.string().check(z.maxLength(200))) }),
  response: z.object({ songs: z.array(VisitorSong), other: z.nullable(z.string()) }),
  fails: [404],
})
