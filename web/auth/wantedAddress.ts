import { navigate } from 'wouter/use-browser-location'
import { addressOf, pathHere } from '../api/address.ts'
import { stored } from '../api/stored.ts'

/*
 * The address that a visitor wanted, or where the session ended. Signing in leaves the page and ends on `/`, maybe in
 * another tab, so it waits in the browser's storage (signin-13). It never leaves the browser.
 */

export const SESSION_ENDED = 'Your session has ended. Sign in to continue where you were.'

const stash = stored('wanted-address')

/** Milliseconds. Longer than a sign-in link works; after that, the visitor has given up. */
const MAX_AGE = 60 * 60_000

/** The places that need a session: the main screen's parameters, and its pages. */
const PROTECTED_ADDRESS =
  /^\/(\?|(profile|microgenres|desk|verification|auth-test|youtube-optimization|coverage|feedback|admin)\/?(\?|$))/

interface ReturnAddress {
  address: string
  /** Milliseconds since 1970. */
  at: number
  sessionEnded: boolean
}

/** Keeps the current address, when it needs a session. The landing page, where Logout leads, forgets an older one. */
export function keepWantedAddress(sessionEnded: boolean): void {
  const address = currentAddress()
  if (address === '/' && !sessionEnded) stash.save(null)
  if (!PROTECTED_ADDRESS.test(address) && !sessionEnded) return
  stash.save(JSON.stringify({ address, at: Date.now(), sessionEnded } satisfies ReturnAddress))
}

/** Right after sign-in, goes to the address that was wanted. In another tab the sign-in screens give way (signin-4). */
export function returnToWantedAddress(inOtherTab = false): void {
  const wanted = readWanted()
  stash.save(null)
  if (inOtherTab && /^\/(auth|login)\/?$/.test(pathHere())) navigate(addressOf('/'), { replace: true })
  // Another page than the end of a sign-in was opened on purpose.
  if (currentAddress() !== '/' || !wanted || !PROTECTED_ADDRESS.test(wanted.address)) return
  navigate(addressOf(wanted.address), { replace: true })
}

/** Whether the visitor was signed in until a moment ago. */
export const hasSessionEnded = (): boolean => readWanted()?.sessionEnded === true

const currentAddress = () => pathHere() + location.search

function readWanted(): ReturnAddress | null {
  const wanted = stash.readJson() as ReturnAddress | null
  return wanted && Date.now() - wanted.at < MAX_AGE ? wanted : null
}
