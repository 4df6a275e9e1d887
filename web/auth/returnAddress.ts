import { navigate } from 'wouter/use-browser-location'
import { currentPath, withBasePath } from '../api/paths.ts'
import { storageItem } from '../api/storageItem.ts'

/*
 * The address to open after sign-in: the one that needed it, or where the session ended. Signing in leaves the page and
 * ends on `/`, maybe in another tab, so the browser stores the address (signin-13).
 */

export const SESSION_ENDED = 'Your session has ended. Sign in to continue where you were.'

const returnAddressStore = storageItem('wanted-address')

/** Milliseconds, longer than a sign-in link works. */
const MAX_AGE = 60 * 60_000

/** Addresses that need a session. */
const PROTECTED_ADDRESS =
  /^\/(\?|(profile|microgenres|desk|verification|auth-test|youtube-optimization|coverage|feedback|admin)\/?(\?|$))/

interface ReturnAddress {
  address: string
  /** Milliseconds since 1970. */
  at: number
  sessionEnded: boolean
}

/** Saves the current address if it needs a session. The landing page, where Logout leads, removes an older one. */
export function saveReturnAddress(sessionEnded: boolean): void {
  const address = currentAddress()
  if (address === '/' && !sessionEnded) returnAddressStore.save(null)
  if (!PROTECTED_ADDRESS.test(address) && !sessionEnded) return
  returnAddressStore.save(JSON.stringify({ address, at: Date.now(), sessionEnded } satisfies ReturnAddress))
}

/**
 * Opens the saved address after sign-in. If that was in another tab, sign-in pages of this tab close, too (signin-4). The
 * stage for visitors closes (visitors-20).
 */
export function openReturnAddress(inOtherTab = false): void {
  const returnAddress = readReturnAddress()
  returnAddressStore.save(null)
  if (/^\/try(\/|$)/.test(currentPath()) || (inOtherTab && /^\/(auth|login)\/?$/.test(currentPath())))
    navigate(withBasePath('/'), { replace: true })
  // Any other page was opened on purpose.
  if (currentAddress() !== '/' || !returnAddress || !PROTECTED_ADDRESS.test(returnAddress.address)) return
  navigate(withBasePath(returnAddress.address), { replace: true })
}

/** Whether the visitor was signed in until a moment ago. */
export const hasSessionEnded = (): boolean => readReturnAddress()?.sessionEnded === true

const currentAddress = () => currentPath() + location.search

function readReturnAddress(): ReturnAddress | null {
  const returnAddress = returnAddressStore.readJson() as ReturnAddress | null
  return returnAddress && Date.now() - returnAddress.at < MAX_AGE ? returnAddress : null
}
