import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Sizes of a cover in pixels: for list rows, tiles, and the stage. */
export const COVER_SIZES = [160, 320, 640] as const
export type CoverSize = (typeof COVER_SIZES)[number]

/** The address of a song's cover at this server (playback-63). */
export const coverAddress = (songId: string, size: CoverSize) => `/covers/${songId}-${size}.webp`

/** The `srcset` of a cover; undefined for other pictures. `basePath` is the path of PUBLIC_URL. */
export function coverSizes(address: string, basePath: string): string | undefined {
  const path = address.startsWith(basePath) ? address.slice(basePath.length) : ''
  const [, songId] = /^\/covers\/(\d+)-/.exec(path) ?? []
  return songId && COVER_SIZES.map((size) => `${basePath}${coverAddress(songId, size)} ${size}w`).join(', ')
}

export const getCover = endpoint('GET /covers/:cover', {
  params: z.object({ cover: z.string() }),
  access: 'public',
  summary:
    'The cover of a song as WebP: `{songId}-160.webp`, or 320 or 640 pixels wide and high. 404 when there is none, or not yet (playback-63).',
  answers: 'file',
})
