import * as openid from 'openid-client'
import type { Logger } from 'pino'
import { z } from 'zod'
import {
  type CallbackQuery,
  type ProviderFailure,
  type ProviderProfile,
  type SignInProvider,
  SignInTimedOut,
  STEP_TIMEOUT,
  toProviderFailure,
  withTimeLimit,
} from './signInProvider.ts'

export interface OpenIdSettings {
  /** For the log. */
  name: string
  issuer: string
  clientId: string
  /** None for a public client, which is protected by PKCE. */
  clientSecret?: string
  redirectUri: string
  /** Without them, those that every provider has. */
  scopes?: string[]
  /** People in none of these groups are excluded (signin-15). Without groups, everybody may sign in. */
  allowedGroups?: string[]
}

/** Milliseconds that the provider's discovery document is cached. */
const DISCOVERY_CACHE_TIME = 86_400_000

/**
 * OpenID Connect: authorisation code with PKCE, state and nonce; the ID token's signature is verified. Discovery
 * happens at first use, so the provider may be down when the server starts.
 */
export function createOpenIdProvider(log: Logger, settings: OpenIdSettings): SignInProvider {
  const { redirectUri, scopes = ['openid', 'email', 'profile'], allowedGroups = [] } = settings
  const discover = cacheDiscovery(settings)

  function logFailure(error: unknown): ProviderFailure {
    const failure = failureOf(error)
    log.warn({ provider: settings.name, reason: reasonOf(error) }, 'sign-in with a provider failed')
    return failure
  }

  return {
    async begin({ state, nonce, codeVerifier }) {
      try {
        const url = openid.buildAuthorizationUrl(await withTimeLimit(discover()), {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href }
      } catch (error) {
        logFailure(error)
        return { failure: 'unreachable' }
      }
    },

    async identify(callbackQuery, { state, nonce, codeVerifier }) {
      if (callbackQuery.error) return { failure: toProviderFailure(callbackQuery.error) }
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
        const { groups, ...person } = await withTimeLimit(
          exchangeCode(discover, callbackUrl(redirectUri, callbackQuery), checks, allowedGroups.length > 0),
        )
        if (allowedGroups.length === 0 || groups?.some((name) => allowedGroups.includes(name)))
          return { person }
        const reason = groups ? 'in no allowed group' : 'no claim "groups"'
        log.warn({ provider: settings.name, reason }, 'sign-in with a provider failed')
        return { failure: 'excluded' }
      } catch (error) {
        return { failure: logFailure(error) }
      }
    },

    async findFault() {
      try {
        const config = await withTimeLimit(fetchDiscovery(settings))
        return await withTimeLimit(findKeyFault(config, redirectUri))
      } catch (error) {
        const other = OtherIssuer.safeParse(error)
        if (other.success) return `its issuer is ${other.data.cause.body.issuer}`
        return `${reasonOf(error)} at ${discoveryAddress(settings.issuer)}`
      }
    },
  }
}

/**
 * Exchanges a code that does not exist. A provider that knows the client refuses only the code, with a 4xx (RFC 6749
 * §5.2); any other answer is no `ResponseBodyError`.
 */
async function findKeyFault(config: openid.Configuration, redirectUri: string): Promise<string | null> {
  const code = { code: 'none', redirect_uri: redirectUri, code_verifier: openid.randomPKCECodeVerifier() }
  try {
    await openid.genericGrantRequest(config, 'authorization_code', code)
  } catch (error) {
    const isUnknown =
      error instanceof openid.WWWAuthenticateChallengeError ||
      (error instanceof openid.ResponseBodyError && UNKNOWN_CLIENT_CODES.has(error.error))
    if (isUnknown) return 'it does not accept the client id or the secret'
    if (!(error instanceof openid.ResponseBodyError))
      return `${reasonOf(error)} at ${config.serverMetadata().token_endpoint}`
  }
  return null
}

const UNKNOWN_CLIENT_CODES = new Set(['invalid_client', 'unauthorized_client'])

/** The error for another issuer than the configured one; often only the slash at the end differs. */
const OtherIssuer = z.object({
  code: z.literal('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'),
  cause: z.object({ body: z.object({ issuer: z.string() }) }),
})

async function exchangeCode(
  discover: () => Promise<openid.Configuration>,
  address: URL,
  checks: openid.AuthorizationCodeGrantChecks,
  needsGroups: boolean,
): Promise<ProfileWithGroups> {
  const config = await discover()
  const tokens = await openid.authorizationCodeGrant(config, address, checks)
  const claims = Claims.parse(tokens.claims())
  const hasName = Boolean(claims.firstName ?? claims.lastName)
  const isComplete = claims.email !== null && (claims.groups !== null || !needsGroups)
  if ((isComplete && hasName) || !config.serverMetadata().userinfo_endpoint) return claims
  // Some providers leave profile claims or groups out of the ID token.
  const userInfo = openid.fetchUserInfo(config, tokens.access_token, claims.subject)
  // A name is not worth a sign-in that fails.
  const userInfoClaims = Claims.parse(
    await (isComplete ? userInfo.catch(() => ({ sub: claims.subject })) : userInfo),
  )
  // An address and whether it is verified always come from the same answer.
  const { email, emailVerified } = claims.email === null ? userInfoClaims : claims
  const { firstName, lastName } = hasName ? claims : userInfoClaims
  const [picture, groups] = [claims.picture ?? userInfoClaims.picture, claims.groups ?? userInfoClaims.groups]
  return { subject: claims.subject, email, emailVerified, firstName, lastName, picture, groups }
}

/**
 * Caches the discovery document. Concurrent callers share one request, and the old document is used while a new one
 * cannot be fetched.
 */
function cacheDiscovery(settings: OpenIdSettings): () => Promise<openid.Configuration> {
  let cached: { config: openid.Configuration; since: number } | null = null
  let pending: Promise<openid.Configuration> | null = null
  return async () => {
    if (cached && Date.now() - cached.since < DISCOVERY_CACHE_TIME) return cached.config
    pending ??= fetchDiscovery(settings)
      .then((config) => {
        cached = { config, since: Date.now() }
        return config
      })
      .finally(() => {
        pending = null
      })
    const stale = cached
    return stale ? pending.catch(() => stale.config) : pending
  }
}

function fetchDiscovery({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<openid.Configuration> {
  const insecureRequests = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []
  return openid.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientSecret ? secretAuthentication(clientSecret) : openid.None(),
    { timeout: STEP_TIMEOUT / 1000, execute: [openid.enableNonRepudiationChecks, ...insecureRequests] },
  )
}

/** What `openid.discovery` fetches, without a password or parameters. */
function discoveryAddress(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  if (pathname.includes('/.well-known/')) return origin + pathname
  return `${origin}${pathname.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** In the form if the provider supports that: some do not decode the header as RFC 6749 §2.3.1 wants it. */
function secretAuthentication(secret: string): openid.ClientAuth {
  const [inForm, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (provider, ...rest) => {
    const methods = provider.token_endpoint_auth_methods_supported
    return (methods?.includes('client_secret_post') ? inForm : inHeader)(provider, ...rest)
  }
}

/** The redirect address with only the parameters of the protocol. */
function callbackUrl(redirectUri: string, { code, state, iss }: CallbackQuery): URL {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries({ code, state, iss })) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return address
}

/** Unreachable: no connection, a timeout, or a response that is not the protocol's, such as a maintenance page. */
function failureOf(error: unknown): ProviderFailure {
  if (error instanceof SignInTimedOut) return 'unreachable'
  if (error instanceof openid.ResponseBodyError) return toProviderFailure(error.error)
  if (error instanceof TypeError) return 'unreachable'
  return UNREACHABLE_CODES.has(reasonOf(error)) ? 'unreachable' : 'refused'
}

const UNREACHABLE_CODES = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
])

/** A code or error name: messages may quote what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof openid.ResponseBodyError) return error.error
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && error.code) return String(error.code)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

interface ProfileWithGroups extends ProviderProfile {
  /** Null when unknown. */
  groups: string[] | null
}

/** Providers that map attributes of a directory may write a list, or a number. */
const optionalText = z
  .unknown()
  .optional()
  .transform((value) => {
    const [first] = [value].flat()
    return typeof first === 'string' || typeof first === 'number' ? String(first).trim() || null : null
  })

/** OpenID Connect Core §5.1, and the names that Replit, Microsoft and directories use for some claims. */
const Claims = z
  .object({
    sub: z.string().min(1).max(255),
    email: optionalText,
    emails: optionalText,
    mail: optionalText,
    email_verified: z.unknown().optional(),
    given_name: optionalText,
    first_name: optionalText,
    family_name: optionalText,
    last_name: optionalText,
    name: optionalText,
    nickname: optionalText,
    preferred_username: optionalText,
    picture: optionalText,
    profile_image_url: optionalText,
    /** Not in the standard, but what providers use. A single group may not be in a list. */
    groups: z
      .union([z.array(z.string()), z.string().transform((name) => [name])])
      .nullish()
      .catch(null)
      .default(null),
  })
  .transform((claims): ProfileWithGroups => {
    const [firstName, lastName] = [
      claims.given_name ?? claims.first_name,
      claims.family_name ?? claims.last_name,
    ]
    return {
      subject: claims.sub,
      email: claims.email ?? claims.emails ?? claims.mail,
      // Amazon and Apple write it as text.
      emailVerified: claims.email_verified === true || claims.email_verified === 'true',
      firstName: firstName ?? (lastName === null ? findDisplayName(claims) : null),
      lastName,
      picture: claims.picture ?? claims.profile_image_url,
      groups: claims.groups,
    }
  })

/** An address, which some providers write for a missing name, is nobody else's business. */
function findDisplayName(
  claims: Record<'name' | 'nickname' | 'preferred_username', string | null>,
): string | null {
  const names = [claims.name, claims.nickname, claims.preferred_username]
  return names.find((name) => name !== null && !name.includes('@')) ?? null
}
