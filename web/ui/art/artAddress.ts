import { withBasePath } from '../../api/paths.ts'

/* Which picture of a song to request (playback-18). */

/** Addresses that failed, which no other place on the page requests again. */
const failedUrls = new Set<string>()

// Without a connection every address fails.
globalThis.window?.addEventListener('online', () => failedUrls.clear())

/** The address to request for this art; null when there is none, or all failed. A cover names its substitute after `#`. */
export function findUsableArt(art: string | null): string | null {
  const addresses = art?.split('#').filter((url) => /^(https?:\/\/|\/covers\/)/i.test(url)) ?? []
  const candidates = addresses.flatMap((url) =>
    url.startsWith('/') ? withBasePath(url) : [url, toHttps(url)],
  )
  return candidates.find((url) => !failedUrls.has(url)) ?? null
}

/** Remembers that an address failed. */
export function markArtFailed(address: string): void {
  failedUrls.add(address)
}

/** Remembers that there is no such picture. */
export function markArtMissing(address: string): void {
  failedUrls.add(address).add(toHttps(address))
}

const toHttps = (address: string) => address.replace(/^http:/i, 'https:')

/** Requests the art of a song that comes soon. */
export function preloadArt(art: string | null): void {
  const address = findUsableArt(art)
  if (!address) return
  const image = new Image()
  image.onerror = () => {
    markArtFailed(address)
    preloadArt(art)
  }
  image.src = address
}

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
