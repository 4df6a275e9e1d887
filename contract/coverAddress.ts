/** Pixels of a cover's side: for a row of a list, a tile, and the stage. */
export const COVER_SIZES = [160, 320, 640] as const
export type CoverSize = (typeof COVER_SIZES)[number]

/** The address of a song's cover at this server (playback-63). */
export const coverAddress = (songId: string, size: CoverSize) => `/covers/${songId}-${size}.webp`

/** All sizes of the cover with this address, as a `srcset`; undefined for other pictures. */
export function coverSizes(address: string): string | undefined {
  const [, songId] = /^\/covers\/(\d+)-/.exec(address) ?? []
  return songId && COVER_SIZES.map((size) => `${coverAddress(songId, size)} ${size}w`).join(', ')
}
