import { useSyncExternalStore } from 'react'
import type { SignedInUser } from '../../contract/auth.ts'
import { readSignIn, subscribeToSignIn } from './currentUser.ts'

export interface CurrentUserState {
  /** Null when nobody is signed in, and until that is known. */
  user: SignedInUser | null
  /** Until the first answer. */
  isLoading: boolean
  /** The first request failed. */
  failed: boolean
}

export function useCurrentUser(): CurrentUserState {
  const { status, user } = useSyncExternalStore(subscribeToSignIn, readSignIn)
  return { user, isLoading: status === 'loading', failed: status === 'failed' }
}
