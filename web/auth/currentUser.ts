import { type CurrentUser, getCurrentUser, type SignedInUser } from '../../contract/auth.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { dropEarly } from '../api/earlyCalls.ts'
import { stored } from '../api/stored.ts'
import { onUnauthorized } from '../api/unauthorized.ts'
import { createStore } from '../ui/store.ts'
import { toastError } from '../ui/toast.ts'
import { keepWantedAddress, returnToWantedAddress, SESSION_ENDED } from './wantedAddress.ts'

/**
 * The current user, for the whole page. Lives outside the query cache, because signed-out pages do not load one.
 */
export type SignIn =
  | { status: 'loading' | 'failed'; user: null }
  | { status: 'known'; user: SignedInUser | null }

const signIn = createStore<SignIn>({ status: 'loading', user: null })
let asking: Promise<void> | null = null
/** The request that follows the current one. */
let askingNext: Promise<void> | null = null
/** How often a call has answered the changed user. */
let changes = 0

export const readSignIn = signIn.state

/** Subscribes to changes; the first subscriber triggers the first request. */
export function watchSignIn(listener: () => void): () => void {
  if (readSignIn().status === 'loading' && !asking) void refreshCurrentUser()
  return signIn.subscribe(listener)
}

/** Keeps the user that a call answered, after a change of their own. */
export function keepCurrentUser(changed: CurrentUser): void {
  const { user } = readSignIn()
  if (user?.id !== changed.id) return
  changes += 1
  become({ status: 'known', user: { ...user, ...changed } })
}

/**
 * Fetches the current user again, when others may have changed something or a session ended. A request in flight may be
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
  const before = changes
  try {
    const user = await call(getCurrentUser)
    // Otherwise this answer may be the older one.
    if (changes === before) become({ status: 'known', user })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) become({ status: 'known', user: null })
    else if (readSignIn().status !== 'known') become({ status: 'failed', user: null })
  }
}

function become(next: SignIn): void {
  const { status, user: before } = readSignIn()
  if (next.status === 'known') {
    hint.keep(next.user && '1')
    if (next.user && !before) returnToWantedAddress()
    // Several calls may be refused when a session ends. Only the first changes something.
    if (!next.user && (before || status !== 'known')) signOut(before !== null)
  }
  signIn.set(next)
}

function signOut(sessionEnded: boolean): void {
  dropEarly()
  keepWantedAddress(sessionEnded)
  if (sessionEnded) toastError(SESSION_ENDED, 'Signed out')
}

// The session ended while in use: show the signed-out routes (signin-2).
onUnauthorized((endpoint) => {
  if (endpoint.path !== getCurrentUser.path) void refreshCurrentUser()
})

const hint = stored('signed-in')

/** Whether somebody was signed in here last time. Only decides which page is preloaded. */
export const wasSignedIn = (): boolean => hint.read() !== null
