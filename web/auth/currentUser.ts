import { getCurrentUser, type SignedInUser } from '../../contract/auth.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { onUnauthorized } from '../api/unauthorized.ts'

/**
 * Who is signed in, for the whole page. It stands outside of the query cache because it decides whether there
 * is one: signed out, the page needs no more than this.
 */
export type SignIn =
  | { status: 'loading' | 'failed'; user: null }
  | { status: 'known'; user: SignedInUser | null }

let signIn: SignIn = { status: 'loading', user: null }
let asking: Promise<void> | null = null
/** The question that follows the one under way. */
let askingNext: Promise<void> | null = null
const listeners = new Set<() => void>()

export const readSignIn = (): SignIn => signIn

/** Hears of changes; the first listener makes the first question. */
export function watchSignIn(listener: () => void): () => void {
  listeners.add(listener)
  if (signIn.status === 'loading' && !asking) void refreshCurrentUser()
  return () => listeners.delete(listener)
}

/**
 * Asks the server who is signed in: after a profile was changed, or when a session ended. An answer that is under way
 * may not know of that yet: another question follows it, one for all who ask meanwhile. Without an answer what is
 * known stays (D-05).
 */
export function refreshCurrentUser(): Promise<void> {
  if (!asking) return startAsking()
  askingNext ??= asking.then(() => {
    askingNext = null
    return startAsking()
  })
  return askingNext
}

function startAsking(): Promise<void> {
  asking = ask().finally(() => {
    asking = null
  })
  return asking
}

async function ask(): Promise<void> {
  try {
    become({ status: 'known', user: await call(getCurrentUser) })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) become({ status: 'known', user: null })
    else if (signIn.status !== 'known') become({ status: 'failed', user: null })
  }
}

function become(next: SignIn): void {
  signIn = next
  if (next.status === 'known') remember(next.user !== null)
  for (const listener of listeners) listener()
}

// A session that ended in mid-use: the signed-out routes appear (D-05).
onUnauthorized((endpoint) => {
  if (endpoint.path !== getCurrentUser.path) void refreshCurrentUser()
})

const HINT = 'bob:signed-in'

/** Whether somebody was signed in here last time: a guess of which page to fetch first, never more. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(HINT) !== null
  } catch {
    return false
  }
}

function remember(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(HINT, '1')
    else localStorage.removeItem(HINT)
  } catch {
    // Without storage the guess is the landing page.
  }
}
