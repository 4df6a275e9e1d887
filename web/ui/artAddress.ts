/* Which picture of a song to request (playback-18). */

/** Addresses that failed, which no other place on the page requests again. */
const failed = new Set<string>()

// Without a connection every address fails.
window.addEventListener('online', () => failed.clear())

/** The address to request for this art; null when there is none, or it failed. */
export function usableArt(address: string | null): string | null {
  if (!address || !/^https?:\/\//i.test(address)) return null
  return [address, secure(address)].find((one) => !failed.has(one)) ?? null
}

/** Remembers that an address failed; returns the next one for this art. */
export function nextArt(address: string): string | null {
  failed.add(address)
  return usableArt(address)
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
  image.onerror = () => preloadArt(nextArt(address))
  image.src = address
}
