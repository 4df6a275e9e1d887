import type { returnFromGoogle } from '../../../contract/auth.ts'
import type { Query } from '../../../contract/endpoint.ts'

/** What ties the browser that comes back from a provider to the one that went there. */
export interface Attempt {
  /** Comes back in the address. */
  state: string
  /** Comes back inside the ID token. */
  nonce: string
  /** Proves to the provider that the code is used by whoever asked for it (PKCE, RFC 7636). */
  codeVerifier: string
}

/** What the provider wrote into the address that it sent the browser back to. */
export type ReturnedQuery = Query<typeof returnFromGoogle>

/** A person as a provider describes them. */
export interface Person {
  /** The provider's own id of the person. */
  subject: string
  email: string | null
  /** Whether the provider says that the address is theirs (D-12). */
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
  picture: string | null
}

/** The provider does not answer; the person said no; or what came back proves nothing. */
export type ProviderFailure = 'unreachable' | 'denied' | 'refused'

/** One way to sign in by somebody else's account. A failure outside is a value, not a throw. */
export interface SignInProvider {
  /** Where to send the browser. Answers within four seconds. */
  begin(attempt: Attempt): Promise<{ url: string } | { failure: ProviderFailure }>
  /** Who came back. Answers within four seconds. */
  identify(
    returned: ReturnedQuery,
    attempt: Attempt,
  ): Promise<{ person: Person } | { failure: ProviderFailure }>
  /** Null when the provider answers as it should, else why not, without any secret. */
  findFault(): Promise<string | null>
}

/** What an `error` in the address says (RFC 6749 §4.1.2.1). */
export function failureNamed(error: string): ProviderFailure {
  if (error === 'access_denied') return 'denied'
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'unreachable' : 'refused'
}
