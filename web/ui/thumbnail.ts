/* YouTube's 4:3 thumbnails show a 16:9 video between black bars. */

const LETTERBOXED = /(\/vi\/[\w-]{11}\/)(hqdefault|sddefault|0)\.jpg$/

/** The art without pictures of a YouTube video; null when it has no other. */
export const withoutThumbnails = (art: string | null): string | null =>
  art?.split('#').find((url) => !/\/vi(_webp)?\/[\w-]{11}\//.test(url)) ?? null

export const isLetterboxed = (address: string): boolean => LETTERBOXED.test(address)

/** The same picture, smaller and without bars, for places that crop it themselves. */
export const withoutLetterbox = (address: string): string => address.replace(LETTERBOXED, '$1mqdefault.jpg')

/** YouTube answers 404 with a grey picture of this size, which browsers show. */
export const isMissingThumbnail = ({ naturalWidth, naturalHeight }: HTMLImageElement): boolean =>
  naturalWidth === 120 && naturalHeight === 90
