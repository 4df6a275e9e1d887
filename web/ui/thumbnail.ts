/* YouTube's 4:3 thumbnails show a 16:9 video between black bars. */

const BARRED = /(\/vi\/[\w-]{11}\/)(hqdefault|sddefault|0)\.jpg$/

/** Whether it is a picture of a YouTube video. */
export const isThumbnail = (address: string | null): boolean =>
  address !== null && /\/vi(_webp)?\/[\w-]{11}\//.test(address)

export const hasBars = (address: string): boolean => BARRED.test(address)

/** The same picture, smaller and without bars, for places that crop it themselves. */
export const withoutBars = (address: string): string => address.replace(BARRED, '$1mqdefault.jpg')

/** YouTube answers 404 with a grey picture of this size, which browsers show. */
export const isMissing = ({ naturalWidth, naturalHeight }: HTMLImageElement): boolean =>
  naturalWidth === 120 && naturalHeight === 90
