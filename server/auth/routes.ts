import * as contract from '../../contract/auth.ts'
import type { Context } from '../context.ts'
import { isLoopbackHost } from '../env.ts'
import { html, redirect } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { HttpError } from '../http/HttpError.ts'
import { type Limit, takeFromLimit } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import { askingCookieName, cookieOptions, LINK_MINUTES, SESSION_DAYS, sessionCookieName } from './cookies.ts'
import { getCurrentUser } from './currentUser.ts'
import { sendLinkMail } from './linkMail.ts'
import { linkPage } from './linkPage.ts'
import { createLink, isAskingBrowser, spendLink } from './magicLink.ts'
import { maySeeDiagnostics } from './maySeeDiagnostics.ts'
import type { Sessions } from './sessions.ts'

const TOO_MANY_LINKS = 'Too many sign-in links were asked for. Please wait a few minutes and try again.'
const PER_ADDRESS: Limit = { name: 'magic-link-address', max: 5, seconds: 900, message: TOO_MANY_LINKS }
const PER_IP: Limit = { name: 'magic-link-ip', max: 20, seconds: 900, message: TOO_MANY_LINKS }

export function authRoutes(sessions: Sessions): Route<Context>[] {
  return [
    route(contract.getCurrentUser, async ({ user }, { db, env }: Context) => ({
      ...(await getCurrentUser(db, user.id)),
      maySeeDiagnostics: maySeeDiagnostics(env, user),
    })),

    route(contract.sendMagicLink, async ({ body, exchange }, context: Context) => {
      const { db, env } = context
      await takeFromLimit(db, PER_IP, exchange.ip)
      await takeFromLimit(db, PER_ADDRESS, body.email)
      const development = mayShowLink(context, exchange)
      if (!development && !env.SMTP_URL) {
        throw new HttpError(503, 'Sign-in by e-mail is not available right now.')
      }
      const { token, browserMark } = await createLink(db, body.email)
      const magicLink = `${env.publicUrl}/sign-in/link?token=${token}`
      if (env.SMTP_URL) await sendLinkMail(context.integrations.mailer, body.email, magicLink)
      exchange.setCookie(askingCookieName(env), browserMark, cookieOptions(env, LINK_MINUTES * 60))
      const message = 'If the address is right, a sign-in link is on its way. It works for 15 minutes.'
      return development ? { message, magicLink, development: true } : { message }
    }),

    route(contract.followMagicLink, async ({ query, exchange }, context: Context) => {
      const token = query.token ?? ''
      const mark = exchange.cookie(askingCookieName(context.env))
      if (!(await isAskingBrowser(context.db, token, mark))) return html(200, linkPage(token))
      return signIn(token, exchange, context, sessions)
    }),

    route(contract.useMagicLink, ({ query, exchange }, context: Context) =>
      signIn(query.token ?? '', exchange, context, sessions),
    ),

    route(contract.logout, async ({ exchange }, { env }: Context) => {
      const token = exchange.cookie(sessionCookieName(env))
      if (token) await sessions.end(token)
      exchange.clearCookie(sessionCookieName(env), cookieOptions(env, 0))
      return redirect('/')
    }),

    route(contract.signInWithGoogle, () => providerUnavailable()),
    route(contract.signInWithFacebook, () => providerUnavailable()),
    route(contract.signInWithReplit, () => providerUnavailable()),
  ]
}

/** A link is handed out only to the machine's own user, in development (D-10). */
function mayShowLink({ env }: Context, exchange: Exchange): boolean {
  const peer = exchange.peer.replace(/^::ffff:/, '')
  return !env.production && env.loopbackOnly && isLoopbackHost(peer) && !exchange.forwarded
}

/** Ends at a fixed place, and with a new session whatever cookie came in: nothing to fixate or to redirect. */
async function signIn(token: string, exchange: Exchange, { db, env }: Context, sessions: Sessions) {
  const result = await spendLink(db, token, exchange.userAgent)
  if ('failure' in result) return redirect(`/auth?error=${result.failure}`)
  const former = exchange.cookie(sessionCookieName(env))
  if (former) await sessions.end(former)
  exchange.setCookie(sessionCookieName(env), result.session, cookieOptions(env, SESSION_DAYS * 86_400))
  exchange.clearCookie(askingCookieName(env), cookieOptions(env, 0))
  return redirect('/')
}

/** Comes back to the sign-in screen, which says so in words (D-13). */
function providerUnavailable() {
  return redirect('/auth?error=provider-unavailable')
}
