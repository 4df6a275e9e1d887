import { setTimeout as wait } from 'node:timers/promises'
import type { returnFromGoogle } from '../../../contract/auth.ts'
import type { QueryOf } from '../../../contract/endpoint.ts'

/** Ties the browser that returns from a provider to the one that went there. */
export interface OauthState {
  /** Returned in the address. */
  state: string
  /** Returned in the ID token. */
  nonce: string
  /** Proves that the code is redeemed by the client that requested it (PKCE, RFC 7636). */
  codeVerifier: string
}

/** The parameters that the provider added to the redirect. */
export type CallbackQuery = QueryOf<typeof returnFromGoogle>

/** A person as a provider describes them. */
export interface ProviderProfile {
  /** The provider's id of the person. */
  subject: string
  email: string | null
  /** Whether the provider verified the e-mail address (signin-7). */
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
  picture: string | null
}

/** The provider is unreachable; the person declined; is in no allowed group; or the response is invalid. */
export type ProviderFailure = 'unreachable' | 'denied' | 'excluded' | 'refused'

/** A sign-in provider. Failures are values. */
export interface SignInProvider {
  /** The address to redirect to. Answers within four seconds. */
  begin(oauthState: OauthState): Promise<{ url: string } | { failure: ProviderFailure }>
  /** Identifies the person who returned. Answers within four seconds. */
  identify(
    callbackQuery: CallbackQuery,
    oauthState: OauthState,
  ): Promise<{ person: ProviderProfile } | { failure: ProviderFailure }>
  /** Null when the provider works, else the reason, without secrets. */
  findFault(): Promise<string | null>
}

/** The failure that an `error` parameter stands for (RFC 6749 §4.1.2.1). */
export function toProviderFailure(error: string): ProviderFailure {
  if (error === 'access_denied') return 'denied'
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'unreachable' : 'refused'
}

/** Milliseconds for one request to a provider. */
export const STEP_TIMEOUT = 3000

/** Milliseconds for all requests together; the call has five seconds. */
const TIME_LIMIT = 4000

export class SignInTimedOut extends Error {}

/** @throws SignInTimedOut when the time is used up. */
export function withTimeLimit<T>(work: Promise<T>): Promise<T> {
  const timeout = wait(TIME_LIMIT, undefined, { ref: false }).then((): never => {
    throw new SignInTimedOut('no answer in time')
  })
  return Promise.race([work, timeout])
}
