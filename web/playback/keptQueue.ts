import { storageKey } from '../api/address.ts'

/** Of this tab, so that each tab has its own queue, also after a reload (playback-44). */
export const QUEUE_KEY = storageKey('queue')

export function isQueueKept(): boolean {
  try {
    return sessionStorage.getItem(QUEUE_KEY) !== null
  } catch {
    return false
  }
}

/** When the listener signs out. */
export function forgetQueue(): void {
  try {
    sessionStorage.removeItem(QUEUE_KEY)
  } catch {
    // Storage is not available.
  }
}
