/* YouTube's thumbnails of 4:3 show a video of 16:9 between black bars. */

const BARRED = /(\/vi\/[\w-]{11}\/)(hqdefault|sddefault|0)\.jpg$/

export const hasBars = (address: string): boolean => BARRED.test(address)

/** The same picture, smaller and without bars, for places that crop it their own way. */
export const withoutBars = (address: string): string => address.replace(BARRED, '$1mqdefault.jpg')

/** YouTube answers 404 with a grey picture of this size, and browsers show a 404 that is a picture. */
export const isMissing = ({ naturalWidth, naturalHeight }: HTMLImageElement): boolean =>
  naturalWidth === 120 && naturalHeight === 90
