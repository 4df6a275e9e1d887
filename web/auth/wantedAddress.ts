import { navigate } from 'wouter/use-browser-location'
import { addressOf, pathHere, storageKey } from '../api/address.ts'

/*
 * The address that a visitor wanted, or where the session ended. Signing in leaves the page and ends on `/`, maybe in
 * another tab, so it waits in the browser's storage (signin-13). It never leaves the browser.
 */

export const SESSION_ENDED = 'Your session has ended. Sign in to continue where you were.'

const KEY = storageKey('wanted-address')

/** Milliseconds. Longer than a sign-in link works; after that, the visitor has given up. */
const KEPT = 60 * 60_000

/** The places that need a session: the main screen's parameters, and its pages. */
const PLACE =
  /^\/(\?|(profile|microgenres|desk|verification|auth-test|youtube-optimization|coverage|feedback|admin)\/?(\?|$))/

interface Wanted {
  address: string
  /** Milliseconds since 1970. */
  at: number
  sessionEnded: boolean
}

/** Keeps the current address, when it needs a session. The landing page, where Logout leads, forgets an older one. */
export function keepWantedAddress(sessionEnded: boolean): void {
  try {
    const address = currentAddress()
    if (address === '/' && !sessionEnded) localStorage.removeItem(KEY)
    if (!PLACE.test(address) && !sessionEnded) return
    localStorage.setItem(KEY, JSON.stringify({ address, at: Date.now(), sessionEnded } satisfies Wanted))
  } catch {
    // Without storage, sign-in ends on `/`.
  }
}

/** Right after sign-in, goes to the address that was wanted. */
export function returnToWantedAddress(): void {
  try {
    const wanted = readWanted()
    localStorage.removeItem(KEY)
    // Another page than the end of a sign-in was opened on purpose.
    if (currentAddress() !== '/' || !wanted || !PLACE.test(wanted.address)) return
    navigate(addressOf(wanted.address), { replace: true })
  } catch {
    // Without storage, sign-in ends on `/`.
  }
}

/** Whether the visitor was signed in until a moment ago. */
export const hasSessionEnded = (): boolean => readWanted()?.sessionEnded === true

const currentAddress = () => pathHere() + location.search

function readWanted(): Wanted | null {
  try {
    const wanted = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Wanted | null
    return wanted && Date.now() - wanted.at < KEPT ? wanted : null
  } catch {
    return null
  }
}
