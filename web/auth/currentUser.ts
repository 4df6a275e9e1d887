import { type CurrentUser, getCurrentUser, type SignedInUser } from '../../contract/auth.ts'
import { ApiError } from '../api/ApiError.ts'
import { storageKey } from '../api/address.ts'
import { call } from '../api/call.ts'
import { keepCaller, readCaller } from '../api/caller.ts'
import { dropEarly } from '../api/earlyCalls.ts'
import { ProxySessionError } from '../api/ProxySessionError.ts'
import { stored } from '../api/stored.ts'
import { onUnauthorized } from '../api/unauthorized.ts'
import { createStore } from '../ui/store.ts'
import { toast, toastError } from '../ui/toast.ts'
import { keepWantedAddress, returnToWantedAddress, SESSION_ENDED } from './wantedAddress.ts'

/**
 * The current user, for the whole page. Lives outside the query cache, because signed-out pages do not load one.
 */
export type SignInState =
  | { status: 'loading' | 'failed'; user: null }
  | { status: 'known'; user: SignedInUser | null }

const signIn = createStore<SignInState>({ status: 'loading', user: null })
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
    if (error instanceof ProxySessionError) offerReload()
  }
}

/** The proxy's sign-in page is in the way of a reload (calls-13). */
const offerReload = () =>
  toast({
    title: 'Signed out',
    description: 'The sign-in in front of this site has ended.',
    tone: 'error',
    name: 'proxy',
    duration: 600_000,
    action: { label: 'Sign in again', run: () => location.reload() },
  })

function become(next: SignInState): void {
  const { status, user: before } = readSignIn()
  if (next.status === 'known') {
    const { user } = next
    if (user && (readCaller() ?? user.id) !== user.id) {
      loadAnew()
      return
    }
    if (user) keepCaller(user.id)
    hint.save(user && '1')
    if (user && !before) returnToWantedAddress(status === 'known')
    if (user) lost = ''
    // Several calls may be refused when a session ends. Only the first changes something.
    if (!user && (before || status !== 'known')) signOut(before !== null)
    if (status !== 'known' || user?.id !== before?.id) tabs?.postMessage(user?.id ?? null)
    signedOutElsewhere = false
  }
  signIn.set(next)
}

/** Of all tabs of this browser. */
let tabs: BroadcastChannel | undefined
/** Whether another tab was the first to know. */
let signedOutElsewhere = false

/**
 * From now on the page learns at once of a sign-in, a sign-out or another account in another tab (signin-26). A message
 * is only a reason to ask the server. What was missed is asked for when the page becomes visible.
 */
export function followTabs(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkAgain()
  })
  try {
    tabs = new BroadcastChannel(storageKey('listener'))
  } catch {
    // Firefox refuses it where it may store nothing.
    return
  }
  tabs.onmessage = ({ data: id }) => {
    if (id === (readSignIn().user?.id ?? null)) return
    signedOutElsewhere = id === null
    checkAgain()
  }
}

/** Pages that are the same for everybody have not asked. */
function checkAgain(): void {
  if (readSignIn().status === 'known') void refreshCurrentUser()
}

/** Nothing of the former listener goes on. */
function loadAnew(): void {
  accountChange.save('1')
  location.reload()
}

const accountChange = stored('account-change', 'tab')

/** Whether the page was loaded because the account has changed; once. */
export function takeAccountChange(): boolean {
  const hasChanged = accountChange.read() !== null
  accountChange.save(null)
  return hasChanged
}

function signOut(sessionEnded: boolean): void {
  dropEarly()
  // The other tab has kept its address, or discarded it by Logout (signin-13).
  if (!signedOutElsewhere) keepWantedAddress(sessionEnded)
  const why = signedOutElsewhere ? 'You signed out in another tab.' : SESSION_ENDED
  if (sessionEnded) toastError(lost ? `${why} ${lost}` : why, 'Signed out')
  lost = ''
}

/** What a refused call was for. */
let lost = ''

/** Adds this sentence to the toast about the session's end, if that is why a call was refused. */
export function noteLost(sentence: string): void {
  lost = sentence
}

// The session ended while in use, or somebody else signed in (signin-2, signin-26).
onUnauthorized((endpoint) => {
  if (endpoint.path !== getCurrentUser.path) void refreshCurrentUser()
})

const hint = stored('signed-in')

/** Whether somebody was signed in here last time. Only decides which page is preloaded. */
export const wasSignedIn = (): boolean => hint.read() !== null
