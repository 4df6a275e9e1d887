import type { Context } from '../context.ts'
import type { Exchange } from '../http/exchange.ts'
import { HttpError } from '../http/HttpError.ts'
import { cookieOptions, invitationCookieName, sessionCookieName, setSessionCookie } from './cookies.ts'
import type { Sessions } from './sessions.ts'

/**
 * Sets the cookie of a new session, and ends the session that the browser had, which prevents session fixation. Every
 * sign-in then redirects to `/`, so there is no open redirect (signin-4, signin-12).
 */
export async function startSession(
  token: string,
  exchange: Exchange,
  { env }: Context,
  sessions: Sessions,
): Promise<void> {
  const former = exchange.cookie(sessionCookieName(env))
  if (former) await sessions.end(former)
  setSessionCookie(env, token, exchange.setCookie.bind(exchange))
  if (exchange.cookie(invitationCookieName(env)))
    exchange.clearCookie(invitationCookieName(env), cookieOptions(env, 0))
}

/**
 * For a GET that signs in or out. A browser discards this response, and requests the address again when it is opened.
 */
export function refusePrefetch({ isPrefetch }: Exchange): void {
  if (isPrefetch) throw new HttpError(503, 'Please open the address itself.')
}
