import { getCurrentUser, type SignedInUser } from '../../contract/auth.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { onUnauthorized } from '../api/unauthorized.ts'

/**
 * The current user, for the whole page. Lives outside the query cache, because signed-out pages do not load one.
 */
export type SignIn =
  | { status: 'loading' | 'failed'; user: null }
  | { status: 'known'; user: SignedInUser | null }

let signIn: SignIn = { status: 'loading', user: null }
let asking: Promise<void> | null = null
/** The request that follows the current one. */
let askingNext: Promise<void> | null = null
const listeners = new Set<() => void>()

export const readSignIn = (): SignIn => signIn

/** Subscribes to changes; the first subscriber triggers the first request. */
export function watchSignIn(listener: () => void): () => void {
  listeners.add(listener)
  if (signIn.status === 'loading' && !asking) void refreshCurrentUser()
  return () => listeners.delete(listener)
}

/**
 * Fetches the current user again, after a profile change or when a session ended. A request in flight may be
 * outdated, so another one follows, shared by all callers. When it fails, the known user stays (signin-2).
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

// The session ended while in use: show the signed-out routes (signin-2).
onUnauthorized((endpoint) => {
  if (endpoint.path !== getCurrentUser.path) void refreshCurrentUser()
})

const HINT = 'bob:signed-in'

/** Whether somebody was signed in here last time. Only decides which page is preloaded. */
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
    // Without storage, preload the landing page.
  }
}
