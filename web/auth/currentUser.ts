import { useSyncExternalStore } from 'react'
import { type CurrentUser, getCurrentUser, type SignedInUser } from '../../contract/auth.ts'
import { ApiError, ProxySessionError } from '../api/ApiError.ts'
import { call, getPageListenerId, onUnauthorized, setPageListenerId } from '../api/call.ts'
import { clearEarlyCalls } from '../api/earlyCalls.ts'
import { storageKey } from '../api/paths.ts'
import { createQueryClient } from '../api/query.ts'
import { storageItem } from '../api/storageItem.ts'
import { toast } from '../ui/toast.ts'
import { openReturnAddress, SESSION_ENDED, saveReturnAddress } from './returnAddress.ts'

/** For the whole visit: it outlives the caches of `QueryProvider`, which end with their pages. */
const queryClient = createQueryClient()

const queryKey = [getCurrentUser.path]

export interface CurrentUserState {
  /** Null when nobody is signed in, and until that is known. */
  user: SignedInUser | null
  /** Until the first response. */
  isLoading: boolean
  /** The first request failed. */
  hasFailed: boolean
}

/** The first component that uses it requests the user. Not `useQuery`, whose code the landing page does not load. */
export function useCurrentUser(): CurrentUserState {
  const user = useSyncExternalStore(subscribe, readCurrentUser)
  const hasFailed = useSyncExternalStore(subscribe, hasFirstRequestFailed)
  return { user: user ?? null, isLoading: user === undefined && !hasFailed, hasFailed }
}

function subscribe(listener: () => void): () => void {
  if (!queryClient.getQueryState(queryKey)) void refreshCurrentUser()
  return queryClient.getQueryCache().subscribe(listener)
}

function hasFirstRequestFailed(): boolean {
  const { data, errorUpdateCount = 0 } = queryClient.getQueryState(queryKey) ?? {}
  return data === undefined && errorUpdateCount > 0
}

/** Null when nobody is signed in; undefined until that is known. */
export const readCurrentUser = () => queryClient.getQueryData<SignedInUser | null>(queryKey)

/** Sets the user as a call has changed them. A request in flight is cancelled: its response may be older. */
export function setCurrentUser(changed: CurrentUser): void {
  if (readCurrentUser()?.id !== changed.id) return
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<SignedInUser | null>(queryKey, (user) => user && { ...user, ...changed })
}

/**
 * Fetches the current user again, when others may have changed something or a session ended. A request in flight is
 * cancelled, because its response may be outdated. When the new one fails, the known user stays (signin-2).
 */
export async function refreshCurrentUser(): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  await queryClient.prefetchQuery({
    queryKey,
    queryFn: fetchCurrentUser,
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

async function fetchCurrentUser({ signal }: { signal: AbortSignal }): Promise<SignedInUser | null> {
  const user = await requestCurrentUser(signal)
  // A response that arrived early cannot be aborted.
  signal.throwIfAborted()
  const before = readCurrentUser()
  if (user && (getPageListenerId() ?? user.id) !== user.id) {
    reloadForOtherAccount()
    return before ?? null
  }
  signedInHint.save(user && '1')
  if (user) {
    setPageListenerId(user.id)
    sessionEndNote = ''
    if (!before) openReturnAddress(before === null)
  } else if (before !== null) {
    // Several calls may be refused when a session ends. Only the first changes something.
    handleSignedOut(before !== undefined)
  }
  if (before === undefined || user?.id !== before?.id) tabChannel?.postMessage(user?.id ?? null)
  wasSignedOutElsewhere = false
  return user
}

async function requestCurrentUser(signal: AbortSignal): Promise<SignedInUser | null> {
  try {
    return await call(getCurrentUser, {}, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    if (error instanceof ProxySessionError) offerReload()
    throw error
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

/** To the other tabs of this browser. */
let tabChannel: BroadcastChannel | undefined
/** Whether another tab has reported that the listener signed out there. */
let wasSignedOutElsewhere = false

/**
 * Makes the page notice a sign-in, a sign-out or another account in another tab (signin-26). A message, or a page that
 * becomes visible, is only a reason to fetch the user again.
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
    if (id === (readCurrentUser()?.id ?? null)) return
    wasSignedOutElsewhere = id === null
    refreshIfLoaded()
  }
}

/** Pages that are the same for everybody load no user. */
function refreshIfLoaded(): void {
  if (readCurrentUser() !== undefined) void refreshCurrentUser()
}

/** The reload ends everything of the former listener. */
function reloadForOtherAccount(): void {
  accountChangeFlag.save('1')
  location.reload()
}

const accountChangeFlag = storageItem('account-change', 'tab')

/** Whether the page was reloaded because the account has changed. True only once. */
export function consumeAccountChange(): boolean {
  const hasChanged = accountChangeFlag.read() !== null
  accountChangeFlag.save(null)
  return hasChanged
}

function handleSignedOut(sessionEnded: boolean): void {
  clearEarlyCalls()
  // The other tab has saved its address, or discarded it by Logout (signin-13).
  if (!wasSignedOutElsewhere) saveReturnAddress(sessionEnded)
  const reason = wasSignedOutElsewhere ? 'You signed out in another tab.' : SESSION_ENDED
  if (sessionEnded) toast.error(sessionEndNote ? `${reason} ${sessionEndNote}` : reason, 'Signed out')
  sessionEndNote = ''
}

/** A sentence for the toast about the session's end. */
let sessionEndNote = ''

/** Adds this sentence to the toast about the session's end, which the refused call ends or has found ended. */
export function setSessionEndNote(sentence: string): void {
  if (readCurrentUser() === null) toast.error(`${SESSION_ENDED} ${sentence}`, 'Signed out')
  else sessionEndNote = sentence
}

// The session ended while in use, or somebody else signed in (signin-2, signin-26).
onUnauthorized((endpoint) => {
  if (endpoint.path !== getCurrentUser.path) void refreshCurrentUser()
})

const signedInHint = storageItem('signed-in')

/** Whether somebody was signed in at the last visit. Only decides what is shown first. */
export const wasSignedIn = (): boolean => signedInHint.read() !== null
