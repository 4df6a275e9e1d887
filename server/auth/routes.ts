import * as tokens from '../../contract/apiTokens.ts'
import * as contract from '../../contract/auth.ts'
import { redeemCode } from '../../contract/signInCode.ts'
import type { Context } from '../context.ts'
import { html, redirect } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { HttpError } from '../http/HttpError.ts'
import { countUse, defineLimit, enforceLimit, isReached } from '../http/limits/limits.ts'
import type { PageParts } from '../http/plainPage.ts'
import { type Route, route } from '../http/route.ts'
import { isLoopbackHost } from '../settings.ts'
import { canSeeDesk, canSeeDiagnostics } from './accountRights.ts'
import { findAccount, getCurrentUser } from './accounts.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './apiTokens.ts'
import {
  cookieOptions,
  INVITATION_HOURS,
  invitationCookieName,
  LINK_MINUTES,
  linkCookieName,
  sessionCookieName,
} from './cookies.ts'
import { findInvitation } from './invitations.ts'
import {
  createLink,
  type LinkFailure,
  linkAddress,
  linkPage,
  readLink,
  redeemLink,
  sendLinkMail,
} from './magicLink.ts'
import { maskEmail } from './maskEmail.ts'
import { removeAllPasskeys } from './passkeys.ts'
import { handleProviderCallback, redirectToProvider } from './providerSignIn.ts'
import { listSessions, type Sessions } from './sessions.ts'
import { checkCode, newCode } from './signInCode.ts'
import { refusePrefetch, startSession } from './startSession.ts'
import { hashToken, newToken } from './tokens.ts'

const TOO_MANY_LINKS = 'Too many sign-in links were requested. Please wait a few minutes and try again.'
const LINK_LIMIT = { seconds: 900, message: TOO_MANY_LINKS, counts: 'sign-in links' }
/** Of one network, so that others cannot keep an address from asking. */
const LINKS_PER_ADDRESS = defineLimit({ ...LINK_LIMIT, name: 'magic-link-address', max: 5, per: 'address' })
const LINKS_PER_IP = defineLimit({ ...LINK_LIMIT, name: 'magic-link-ip', max: 20, per: 'network' })
/** Beyond it nothing is refused or mailed: links that still work for ten minutes are in the mailbox. */
const LINK_MAILS = defineLimit({
  name: 'magic-link-mails',
  max: 20,
  seconds: 300,
  message: TOO_MANY_LINKS,
  counts: 'mails with sign-in links',
  per: 'address',
})
const TO_STRANGERS = { ...LINK_LIMIT, seconds: 3600, counts: 'sign-in links to addresses without account' }
/** So that nobody uses up what the mail server sends in a day. Beyond it, each network still has as many as an address. */
const STRANGER_MAILS = defineLimit({ ...TO_STRANGERS, name: 'stranger-mails', max: 100, per: 'all' })
const MAILS_IN_FLOOD = defineLimit({
  ...TO_STRANGERS,
  name: 'stranger-mail-flood',
  max: LINKS_PER_ADDRESS.max,
  counts: `${TO_STRANGERS.counts}, beyond those of all`,
  per: 'network',
})

const PROVIDERS = [
  ['google', contract.signInWithGoogle, contract.returnFromGoogle],
  ['facebook', contract.signInWithFacebook, contract.returnFromFacebook],
  ['replit', contract.signInWithReplit, contract.returnFromReplit],
  ['oidc', contract.signInWithOpenId, contract.returnFromOpenId],
] as const

export function authRoutes(sessions: Sessions, parts: PageParts): Route<Context>[] {
  return [
    route(contract.getCurrentUser, async ({ user }, { db, env }: Context) => ({
      ...(await getCurrentUser(db, user.id)),
      maySeeDiagnostics: canSeeDiagnostics(env, user),
      isSteward: canSeeDesk(env, user),
    })),

    route(contract.sendMagicLink, async ({ body, exchange }, context: Context) => {
      const { db, env } = context
      await enforceLimit(db, LINKS_PER_IP, exchange.ip)
      await enforceLimit(db, LINKS_PER_ADDRESS, `${exchange.ip}:${body.email}`)
      const development = canShowLink(context, exchange)
      if (!development && !env.SMTP_URL) {
        throw new HttpError(503, 'Sign-in by e-mail is not available right now.')
      }
      const browserToken = newToken()
      const invitation = await readInvitation(exchange, context)
      const code = newCode()
      const token = await createLink(db, body.email, { token: browserToken, code }, invitation)
      const magicLink = linkAddress(env.publicUrl, token)
      if (env.SMTP_URL) {
        // Where not all addresses get mail, awaiting it would reveal by the response time who has an account.
        const mayWait = env.REGISTRATION === 'open' && !(await isReached(db, STRANGER_MAILS, 'all'))
        const mail = mailLink(context, body.email, { network: exchange.ip, invitation, magicLink, code })
        if (mayWait) await mail
        else mail.catch((error: unknown) => context.log.warn({ err: error }, 'a sign-in link was not mailed'))
      }
      exchange.setCookie(linkCookieName(env), browserToken, cookieOptions(env, LINK_MINUTES * 60))
      const message = 'If the address is right, a sign-in link is on its way. It works for 15 minutes.'
      return development ? { message, magicLink, code, development: true } : { message }
    }),

    route(contract.followMagicLink, async ({ user, query, exchange }, context: Context) => {
      refusePrefetch(exchange)
      const tokenHash = hashToken(query.token ?? '')
      const browserToken = exchange.cookie(linkCookieName(context.env))
      const { isOwnBrowser, outcome } = await readLink(context.db, tokenHash, browserToken)
      // A signed-in listener does not need a button that can only fail (signin-4).
      if (user && 'failure' in outcome) return redirect(errorAddress(outcome.failure))
      if (!isOwnBrowser) {
        const address = 'email' in outcome ? maskEmail(outcome.email) : null
        return html(200, linkPage({ token: query.token ?? '', address, parts }))
      }
      if (exchange.isHead) return redirect('failure' in outcome ? errorAddress(outcome.failure) : '/')
      return redirect(await signInByLink(tokenHash, exchange, context, sessions))
    }),

    route(contract.redeemMagicLink, async ({ query, exchange }, context: Context) =>
      redirect(await signInByLink(hashToken(query.token ?? ''), exchange, context, sessions)),
    ),

    route(redeemCode, async ({ body, exchange }, context: Context) => {
      const browserToken = exchange.cookie(linkCookieName(context.env))
      const tokenHash = await checkCode(context.db, body.code, { browserToken, network: exchange.ip })
      return { location: await signInByLink(tokenHash, exchange, context, sessions) }
    }),

    route(contract.openInvitation, async ({ user, body, exchange }, { db, env }: Context) => {
      const invitation = await findInvitation(db, body.token)
      if (invitation?.state === 'open') {
        const options = cookieOptions(env, INVITATION_HOURS * 3600)
        exchange.setCookie(invitationCookieName(env), body.token, options)
      }
      return {
        state: invitation?.state ?? ('unknown' as const),
        expiresAt: invitation?.expiresAt.toISOString() ?? null,
        registration: env.REGISTRATION,
        isSignedIn: user !== null,
      }
    }),

    route(contract.logout, async ({ exchange }, { env }: Context) => {
      // A link elsewhere must not sign a listener out, whose browser sends the cookie with it.
      if (exchange.isHead || exchange.isFromOtherSite) return redirect('/')
      refusePrefetch(exchange)
      const token = exchange.cookie(sessionCookieName(env))
      if (token) await sessions.end(token)
      exchange.clearCookie(sessionCookieName(env), cookieOptions(env, 0))
      return redirect('/')
    }),

    route(contract.listSessions, ({ user, exchange }, { db, env }: Context) =>
      listSessions(db, user.id, exchange.cookie(sessionCookieName(env)) ?? ''),
    ),

    route(contract.endSession, async ({ user, params }) => {
      if (await sessions.endSession(user.id, params.id)) return { success: true }
      throw new HttpError(404, 'There is no such session.')
    }),

    route(contract.endAllSessions, async ({ user, query, exchange }, context: Context) => {
      if (query.passkeys === 'remove') await removeAllPasskeys(context, user.id)
      await sessions.endAll(user.id)
      exchange.clearCookie(sessionCookieName(context.env), cookieOptions(context.env, 0))
      return { success: true }
    }),

    route(tokens.listApiTokens, ({ user }, { db }: Context) => listApiTokens(db, user.id)),

    route(tokens.createApiToken, ({ user, body }, { db }: Context) => createApiToken(db, user.id, body)),

    route(tokens.revokeApiToken, async ({ user, params }, { db }: Context) => {
      await revokeApiToken(db, user.id, params.id)
      return { success: true }
    }),

    ...PROVIDERS.flatMap(([name, signIn, callback]) => [
      route(signIn, ({ exchange }, context: Context) => redirectToProvider(name, exchange, context)),
      route(callback, ({ query, exchange }, context: Context) =>
        handleProviderCallback(name, query, exchange, context, sessions),
      ),
    ]),
  ]
}

/** The id of the invitation that is open in this browser. */
async function readInvitation(exchange: Exchange, { db, env }: Context): Promise<string | null> {
  return (await findInvitation(db, exchange.cookie(invitationCookieName(env))))?.id ?? null
}

/** Mails a link to an address that has an account or could get one here (signin-16, signin-19), within the limits. */
async function mailLink(
  { db, env, integrations }: Context,
  email: string,
  link: { network: string; invitation: string | null; magicLink: string; code: string },
): Promise<void> {
  const isNew = (await findAccount(db, email)) === null
  const isWelcome =
    !isNew || env.REGISTRATION === 'open' || (env.REGISTRATION === 'invite' && link.invitation !== null)
  if (!isWelcome || (await countUse(db, LINK_MAILS, email)) > 0) return
  const isFlood = isNew && (await countUse(db, STRANGER_MAILS, 'all')) > 0
  if (isFlood && (await countUse(db, MAILS_IN_FLOOD, link.network)) > 0) return
  await sendLinkMail(integrations.mailer, email, link.magicLink, link.code)
}

/** In development, the link is shown to users of this machine only (signin-10). */
function canShowLink({ env }: Context, exchange: Exchange): boolean {
  const peer = exchange.peer.replace(/^::ffff:/, '')
  const isHere = isLoopbackHost(peer) && isLoopbackHost(exchange.host)
  return !env.production && env.loopbackOnly && isHere && !exchange.isForwarded
}

/** Uses a link, by itself or by its code. Returns where the browser goes. */
async function signInByLink(
  tokenHash: Buffer,
  exchange: Exchange,
  context: Context,
  sessions: Sessions,
): Promise<string> {
  const { db, env } = context
  const invitation = await readInvitation(exchange, context)
  const admission = { registration: env.REGISTRATION, invitation }
  const result = await redeemLink(db, tokenHash, exchange.userAgent, admission)
  if ('failure' in result) return errorAddress(result.failure)
  await startSession(result.session, exchange, context, sessions)
  exchange.clearCookie(linkCookieName(env), cookieOptions(env, 0))
  return '/'
}

const errorAddress = (failure: LinkFailure) => `/auth?error=${failure}`
