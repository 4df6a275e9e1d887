import type { Env } from '../env.ts'
import type { CookieOptions } from '../http/exchange.ts'

/** Days that a session lives after its last use. */
export const SESSION_DAYS = 30

/** Days after which a session ends, however often it is used. */
export const MAX_SESSION_DAYS = 365

/** Hours that a browser remembers an invitation. */
export const INVITATION_HOURS = 24

/** Minutes until a magic link expires (signin-9). */
export const LINK_MINUTES = 15

export function sessionCookieName(env: Env): string {
  return cookieName(env, 'session')
}

/** Identifies the browser that requested a magic link (signin-9). */
export function linkCookieName(env: Env): string {
  return cookieName(env, 'asking')
}

/** Identifies the browser during sign-in at a provider. */
export function oauthCookieName(env: Env): string {
  return cookieName(env, 'signing-in')
}

/** Holds the token of the invitation that was opened (signin-18). */
export function invitationCookieName(env: Env): string {
  return cookieName(env, 'invitation')
}

/** Limited to the sub-path, so that other applications of the host do not get the cookies. */
export function cookieOptions(env: Env, maxAgeSeconds: number): CookieOptions {
  return {
    path: `${env.basePath}/`,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(env),
    maxAge: maxAgeSeconds,
  }
}

/** Also renews the cookie when the session is extended. */
export function setSessionCookie(env: Env, token: string, set: SetCookie): void {
  set(sessionCookieName(env), token, cookieOptions(env, SESSION_DAYS * 86_400))
}

type SetCookie = (name: string, value: string, options: CookieOptions) => unknown

/**
 * The __Host- prefix prevents other hosts of the domain from setting the cookie. It needs https, and a cookie for the
 * whole host.
 */
function cookieName(env: Env, name: string): string {
  if (!isSecure(env)) return name
  return env.basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}

function isSecure(env: Env): boolean {
  return env.publicUrl.startsWith('https:')
}
