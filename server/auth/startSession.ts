import type { Context } from '../context.ts'
import { type Answer, redirect } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { cookieOptions, SESSION_DAYS, sessionCookieName } from './cookies.ts'
import type { Sessions } from './sessions.ts'

/**
 * Gives the browser its new session and ends the one that came in, whosever it was: nothing to fixate. Every way in
 * leads to the same place: nothing to redirect (D-07, D-14).
 */
export async function startSession(
  token: string,
  exchange: Exchange,
  { env }: Context,
  sessions: Sessions,
): Promise<Answer> {
  const former = exchange.cookie(sessionCookieName(env))
  if (former) await sessions.end(former)
  exchange.setCookie(sessionCookieName(env), token, cookieOptions(env, SESSION_DAYS * 86_400))
  return redirect('/')
}
