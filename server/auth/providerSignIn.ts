import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderName } from '../../contract/auth.ts'
import type { Context } from '../context.ts'
import type { Env } from '../env.ts'
import { type Answer, redirect } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { countUse, defineLimit } from '../http/limits/limits.ts'
import type { CallbackQuery, OauthState, ProviderProfile } from '../integrations/signIn/signInProvider.ts'
import type { AdmissionRefusal } from './accounts.ts'
import { cookieOptions, invitationCookieName, oauthCookieName } from './cookies.ts'
import { findOrCreateByIdentity } from './identities.ts'
import { findInvitation } from './invitations.ts'
import { mailNewWay } from './mailNewWay.ts'
import { createSession, type Sessions } from './sessions.ts'
import { refusePrefetch, startSession } from './startSession.ts'
import { newToken } from './tokens.ts'

/**
 * Each callback with a valid state makes one or two requests to the provider. The message is a code for the sign-in
 * screen.
 */
const CALLBACKS_PER_IP = defineLimit({
  name: 'provider-return-ip',
  max: 60,
  seconds: 900,
  message: 'too-many',
  counts: 'returns from sign-in providers',
  per: 'network',
})

/** Redirects to the provider, or back to the sign-in screen, which shows the reason (signin-6). */
export async function redirectToProvider(
  name: ProviderName,
  exchange: Exchange,
  { env, secret, integrations }: Context,
): Promise<Answer> {
  const provider = integrations.signIn[name]
  if (!provider) return redirect('/auth?error=provider-unavailable')
  const seed = newOauthSeed()
  const answer = await provider.begin(deriveOauthState(secret, name, seed))
  if ('failure' in answer) return redirect(`/auth?error=${name}-${answer.failure}`)
  exchange.setCookie(oauthCookieName(env), seed, cookieOptions(env, OAUTH_MINUTES * 60))
  return redirect(answer.url)
}

/**
 * Signs in a person who returns from a provider. Every failure redirects to the sign-in screen, which explains it,
 * without a session.
 */
export async function handleProviderCallback(
  name: ProviderName,
  callbackQuery: CallbackQuery,
  exchange: Exchange,
  context: Context,
  sessions: Sessions,
): Promise<Answer> {
  const { db, env, secret, integrations } = context
  const provider = integrations.signIn[name]
  if (!provider) return redirect('/auth?error=provider-unavailable')
  const oauthState = verifyOauthState(
    secret,
    name,
    exchange.cookie(oauthCookieName(env)),
    callbackQuery.state,
  )
  if (!oauthState) return redirect(`/auth?error=${name}-stale`)
  // The code works once.
  if (exchange.isHead) return redirect('/')
  refusePrefetch(exchange)
  exchange.clearCookie(oauthCookieName(env), cookieOptions(env, 0))
  // A navigation has no page that could show a 429.
  if ((await countUse(db, CALLBACKS_PER_IP, exchange.ip)) > 0) return redirect('/auth?error=too-many')
  const answer = await provider.identify(callbackQuery, oauthState)
  if ('failure' in answer) return redirect(`/auth?error=${name}-${answer.failure}`)
  const invitation = await findInvitation(db, exchange.cookie(invitationCookieName(env)))
  const result = await signInPerson(context, name, answer.person, exchange.userAgent, invitation?.id ?? null)
  if ('failure' in result) return redirect(`/auth?error=${result.failure}`)
  await startSession(result.session, exchange, context, sessions)
  return redirect('/')
}

/** The token of the new session, or why there is none. */
async function signInPerson(
  context: Context,
  name: ProviderName,
  person: ProviderProfile,
  userAgent: string | null,
  invitation: string | null,
): Promise<{ session: string } | { failure: AdmissionRefusal | 'suspended' }> {
  const { db, env } = context
  let joined: string | null = null
  const result = await db.begin(async (tx) => {
    const admission = { registration: env.REGISTRATION, invitation }
    const account = await findOrCreateByIdentity(tx, identityNamespace(env, name), person, admission)
    if ('failure' in account) return account
    if (account.isJoined) joined = account.userId
    const session = await createSession(tx, account.userId, userAgent)
    return session === null ? { failure: 'suspended' as const } : { session }
  })
  const provider = name === 'oidc' ? env.OIDC_NAME : `${name[0]?.toUpperCase()}${name.slice(1)}`
  if (joined) await mailNewWay(context, joined, `Your account at ${provider} now signs in to it.`)
  return result
}

/**
 * The namespace of a provider's ids. The operator may change the OpenID issuer, whose ids mean nothing to another one
 * (signin-14).
 */
export function identityNamespace({ OIDC_ISSUER }: Env, name: ProviderName): string {
  return name === 'oidc' ? `oidc ${OIDC_ISSUER}` : name
}

/** Minutes to complete sign-in at the provider. */
const OAUTH_MINUTES = 10

/** The value of the cookie during sign-in at a provider: an expiry time and random bits. */
function newOauthSeed(): string {
  return `${Date.now() + OAUTH_MINUTES * 60_000}.${newToken()}`
}

/**
 * Derives state, nonce and PKCE verifier from the cookie and the server's secret. Nothing needs to be stored, the
 * verifier never leaves the server, and a modified cookie matches no state.
 */
function deriveOauthState(secret: string, provider: ProviderName, seed: string): OauthState {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(`sign-in ${purpose} ${provider} ${seed}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code-verifier') }
}

/** The state of a returning browser; null when its cookie has expired, is for another provider, or is not ours. */
function verifyOauthState(
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
