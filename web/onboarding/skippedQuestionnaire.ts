import { storageKey } from '../api/address.ts'

const KEY = storageKey('questionnaire-skipped')

/** Whether this listener skipped the questionnaire in this tab since signing in (onboarding-7). */
export function isSkipped(userId: string): boolean {
  try {
    return sessionStorage.getItem(KEY) === userId
  } catch {
    return false
  }
}

export function rememberSkip(userId: string): void {
  try {
    sessionStorage.setItem(KEY, userId)
  } catch {
    // Without storage the skip lasts as long as the page.
  }
}

/** Forgets the skip when the listener signs out. */
export function forgetSkip(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Storage is not available.
  }
}
