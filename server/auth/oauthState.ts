import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderName } from '../../contract/signInProviders.ts'
import type { OauthState } from '../integrations/signIn/signInProvider.ts'
import { newToken } from './tokens.ts'

/** Minutes to complete sign-in at the provider. */
export const OAUTH_MINUTES = 10

/** The value of the cookie during sign-in at a provider: an expiry time and random bits. */
export function newOauthSeed(): string {
  return `${Date.now() + OAUTH_MINUTES * 60_000}.${newToken()}`
}

/**
 * Derives state, nonce and PKCE verifier from the cookie and the server's secret. Nothing needs to be stored, the
 * verifier never leaves the server, and a modified cookie matches no state.
 */
export function deriveOauthState(secret: string, provider: ProviderName, seed: string): OauthState {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(`sign-in ${purpose} ${provider} ${seed}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code-verifier') }
}

/** The state of a returning browser; null when its cookie has expired, is for another provider, or is not ours. */
export function verifyOauthState(
  secret: string,
  provider: ProviderName,
  seed: string | undefined,
  state: string | undefined,
): OauthState | null {
  if (!seed || !state || !(Number(seed.split('.')[0]) > Date.now())) return null
  const oauthState = deriveOauthState(secret, provider, seed)
  return isSame(oauthState.state, state) ? oauthState : null
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
