import type { CookieSerializeOptions } from '@fastify/cookie'
import type { Env } from '../env.ts'

/** Days that a session lives after it was last used. */
export const SESSION_DAYS = 30

/** Minutes that a magic link works (spec §9). */
export const LINK_MINUTES = 15

export function sessionCookieName(env: Env): string {
  return cookieName(env, 'session')
}

/** Marks the browser that asked for a magic link (D-09). */
export function askingCookieName(env: Env): string {
  return cookieName(env, 'asking')
}

/** Marks the browser that is at a provider to sign in. */
export function attemptCookieName(env: Env): string {
  return cookieName(env, 'signing-in')
}

export function cookieOptions(env: Env, maxAgeSeconds: number): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(env), maxAge: maxAgeSeconds }
}

/** Also again when the session's end was put off: a cookie's end does not move by itself. */
export function setSessionCookie(env: Env, token: string, set: SetCookie): void {
  set(sessionCookieName(env), token, cookieOptions(env, SESSION_DAYS * 86_400))
}

type SetCookie = (name: string, value: string, options: CookieSerializeOptions) => unknown

/** On https the __Host- prefix keeps other hosts of the domain from setting the cookie. */
function cookieName(env: Env, name: string): string {
  return isSecure(env) ? `__Host-${name}` : name
}

function isSecure(env: Env): boolean {
  return env.publicUrl.startsWith('https:')
}
