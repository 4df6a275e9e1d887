const KEY = 'bob:questionnaire-skipped'

/** Whether this listener skipped the questionnaire in this tab since they signed in (D-73). */
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

/** Signing out ends the session that the skip was for. */
export function forgetSkip(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was kept.
  }
}
