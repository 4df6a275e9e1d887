import { addressOf } from '../api/address.ts'

/* Which picture of a song to request (playback-18). */

/** Addresses that failed, which no other place on the page requests again. */
const failed = new Set<string>()

// Without a connection every address fails.
window.addEventListener('online', () => failed.clear())

/** The address to request for this art; null when there is none, or all failed. A cover names its substitute after `#`. */
export function usableArt(art: string | null): string | null {
  const addresses = art?.split('#').filter((one) => /^(https?:\/\/|\/covers\/)/i.test(one)) ?? []
  const all = addresses.flatMap((one) => (one.startsWith('/') ? addressOf(one) : [one, secure(one)]))
  return all.find((one) => !failed.has(one)) ?? null
}

/** Remembers that an address failed. */
export function failArt(address: string): void {
  failed.add(address)
}

/** Remembers that there is no such picture. */
export function giveUpArt(address: string): void {
  failed.add(address).add(secure(address))
}

const secure = (address: string) => address.replace(/^http:/i, 'https:')

/** Requests the art of a song that comes soon. */
export function preloadArt(art: string | null): void {
  const address = usableArt(art)
  if (!address) return
  const image = new Image()
  image.onerror = () => {
    failArt(address)
    preloadArt(art)
  }
  image.src = address
}
