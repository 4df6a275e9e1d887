import { createStore } from 'zustand'
import { type CurrentUser, getCurrentUser, type SignedInUser } from '../../contract/auth.ts'
import { ApiError, ProxySessionError } from '../api/ApiError.ts'
import { call, getPageListenerId, onUnauthorized, setPageListenerId } from '../api/call.ts'
import { clearEarlyCalls } from '../api/earlyCalls.ts'
import { storageKey } from '../api/paths.ts'
import { storageItem } from '../api/storageItem.ts'
import { toast } from '../ui/toast.ts'
import { openReturnAddress, SESSION_ENDED, saveReturnAddress } from './returnAddress.ts'

/**
 * The current user, for the whole page. Lives outside the query cache, because signed-out pages do not load one.
 */
export type SignInState =
  | { status: 'loading' | 'failed'; user: null }
  | { status: 'known'; user: SignedInUser | null }

const signInStore = createStore<SignInState>()(() => ({ status: 'loading', user: null }))
let pendingRequest: Promise<void> | null = null
/** The request that follows the current one. */
let queuedRequest: Promise<void> | null = null
/** How often a call has answered the changed user. */
let localChanges = 0

export const readSignIn = signInStore.getState

/** Subscribes to changes; the first subscriber triggers the first request. */
export function subscribeToSignIn(listener: () => void): () => void {
  if (readSignIn().status === 'loading' && !pendingRequest) void refreshCurrentUser()
  return signInStore.subscribe(listener)
}

/** Keeps the user that a call answered, after a change of their own. */
export function setCurrentUser(changed: CurrentUser): void {
  const { user } = readSignIn()
  if (user?.id !== changed.id) return
  localChanges += 1
  applySignIn({ status: 'known', user: { ...user, ...changed } })
}

/**
 * Fetches the current user again, when others may have changed something or a session ended. A request in flight may be
 * outdated, so another one follows, shared by all callers. When it fails, the known user stays (signin-2).
 */
export function refreshCurrentUser(): Promise<void> {
  if (!pendingRequest) return startRequest()
  queuedRequest ??= pendingRequest.then(() => {
    queuedRequest = null
    return startRequest()
  })
  return queuedRequest
}

function startRequest(): Promise<void> {
  pendingRequest = fetchCurrentUser().finally(() => {
    pendingRequest = null
  })
  return pendingRequest
}

async function fetchCurrentUser(): Promise<void> {
  const before = localChanges
  try {
    const user = await call(getCurrentUser)
    // Otherwise this answer may be the older one.
    if (localChanges === before) applySignIn({ status: 'known', user })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) applySignIn({ status: 'known', user: null })
    else if (readSignIn().status !== 'known') applySignIn({ status: 'failed', user: null })
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

function applySignIn(next: SignInState): void {
  const { status, user: before } = readSignIn()
  if (next.status === 'known') {
    const { user } = next
    if (user && (getPageListenerId() ?? user.id) !== user.id) {
      reloadForOtherAccount()
      return
    }
    if (user) setPageListenerId(user.id)
    signedInHint.save(user && '1')
    if (user && !before) openReturnAddress(status === 'known')
    if (user) sessionEndNote = ''
    // Several calls may be refused when a session ends. Only the first changes something.
    if (!user && (before || status !== 'known')) handleSignedOut(before !== null)
    if (status !== 'known' || user?.id !== before?.id) tabChannel?.postMessage(user?.id ?? null)
    wasSignedOutElsewhere = false
  }
  signInStore.setState(next, true)
}

/** Of all tabs of this browser. */
let tabChannel: BroadcastChannel | undefined
/** Whether another tab was the first to know. */
let wasSignedOutElsewhere = false

/**
 * From now on the page learns at once of a sign-in, a sign-out or another account in another tab (signin-26). A message
 * is only a reason to ask the server. What was missed is asked for when the page becomes visible.
 */
export function syncAcrossTabs(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refreshIfLoaded()
  })
  try {
    tabChannel = new BroadcastChannel(storageKey('listener'))
  } catch {
    // Firefox refuses it where it may store nothing.
    return
  }
  tabChannel.onmessage = ({ data: id }) => {
    if (id === (readSignIn().user?.id ?? null)) return
    wasSignedOutElsewhere = id === null
    refreshIfLoaded()
  }
}

/** Pages that are the same for everybody have not asked. */
function refreshIfLoaded(): void {
  if (readSignIn().status === 'known') void refreshCurrentUser()
}

/** Nothing of the former listener goes on. */
function reloadForOtherAccount(): void {
  accountChangeFlag.save('1')
  location.reload()
}

const accountChangeFlag = storageItem('account-change', 'tab')

/** Whether the page was loaded because the account has changed; once. */
export function consumeAccountChange(): boolean {
  const hasChanged = accountChangeFlag.read() !== null
  accountChangeFlag.save(null)
  return hasChanged
}

function handleSignedOut(sessionEnded: boolean): void {
  clearEarlyCalls()
  // The other tab has kept its address, or discarded it by Logout (signin-13).
  if (!wasSignedOutElsewhere) saveReturnAddress(sessionEnded)
  const reason = wasSignedOutElsewhere ? 'You signed out in another tab.' : SESSION_ENDED
  if (sessionEnded) toast.error(sessionEndNote ? `${reason} ${sessionEndNote}` : reason, 'Signed out')
  sessionEndNote = ''
}

/** What a refused call was for. */
let sessionEndNote = ''

/** Adds this sentence to the toast about the session's end, if that is why a call was refused. */
export function setSessionEndNote(sentence: string): void {
  sessionEndNote = sentence
}

// The session ended while in use, or somebody else signed in (signin-2, signin-26).
onUnauthorized((endpoint) => {
  if (endpoint.path !== getCurrentUser.path) void refreshCurrentUser()
})

const signedInHint = storageItem('signed-in')

/** Whether somebody was signed in here last time. Only decides which page is preloaded. */
export const wasSignedIn = (): boolean => signedInHint.read() !== null
