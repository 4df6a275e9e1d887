import type { Context } from '../context.ts'
import { type Answer, redirect } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { sessionCookieName, setSessionCookie } from './cookies.ts'
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
  setSessionCookie(env, token, exchange.setCookie)
  return redirect('/')
}
