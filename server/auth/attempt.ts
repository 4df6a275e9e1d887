import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderName } from '../../contract/auth.ts'
import type { Attempt } from '../integrations/signIn/signInProvider.ts'
import { newToken } from './tokens.ts'

/** Minutes that a person may take at the provider. */
export const ATTEMPT_MINUTES = 10

/** What the browser keeps while it is at the provider: when that ends, and something nobody can guess. */
export function newAttemptMark(): string {
  return `${Date.now() + ATTEMPT_MINUTES * 60_000}.${newToken()}`
}

/**
 * State, nonce and PKCE verifier follow from the mark by the server's secret. So nothing has to be kept between
 * leaving and coming back, the verifier never leaves the server, and a mark that was changed fits no state.
 */
export function deriveAttempt(secret: string, provider: ProviderName, mark: string): Attempt {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(`sign-in ${purpose} ${provider} ${mark}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code-verifier') }
}

/** The attempt that a browser comes back from; null unless it left from here, for this provider, and in time. */
export function findAttempt(
  secret: string,
  provider: ProviderName,
  mark: string | undefined,
  state: string | undefined,
): Attempt | null {
  if (!mark || !state || !(Number(mark.split('.')[0]) > Date.now())) return null
  const attempt = deriveAttempt(secret, provider, mark)
  return isSame(attempt.state, state) ? attempt : null
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
