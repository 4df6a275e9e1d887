import * as contract from '../../contract/passkeys.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import {
  addPasskey,
  listPasskeys,
  passkeyOptions,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkeys.ts'
import type { Sessions } from './sessions.ts'
import { startSession } from './startSession.ts'
import { newChallenge, passkeySite } from './verifyPasskey.ts'

const PASSKEY_SIGN_INS_PER_IP = defineLimit({
  name: 'passkey-sign-in-ip',
  max: 60,
  seconds: 900,
  message: 'Too many tries to sign in. Please wait a few minutes and try again.',
  counts: 'sign-ins with a passkey',
  per: 'network',
})

export function passkeyRoutes(sessions: Sessions): Route<Context>[] {
  return [
    route(contract.listPasskeys, ({ user }, { db }: Context) => listPasskeys(db, user.id)),

    route(contract.getPasskeyOptions, ({ user }, context: Context) => passkeyOptions(context, user.id)),

    route(contract.addPasskey, ({ user, body, exchange }, context: Context) =>
      addPasskey(context, user.id, exchange.userAgent, body),
    ),

    route(contract.renamePasskey, ({ user, params, body }, { db }: Context) =>
      renamePasskey(db, user.id, params.id, body.name),
    ),

    route(contract.removePasskey, async ({ user, params }, context: Context) => {
      await removePasskey(context, user.id, params.id)
      return { success: true }
    }),

    route(contract.getPasskeyChallenge, (_, { env, secret }: Context) => ({
      challenge: newChallenge(secret, 'sign-in'),
      rpId: passkeySite(env).rpId,
      userVerification: 'required' as const,
    })),

    route(contract.signInWithPasskey, async ({ body, exchange }, context: Context) => {
      await enforceLimit(context.db, PASSKEY_SIGN_INS_PER_IP, exchange.ip)
      const session = await signInByPasskey(context, body, exchange.userAgent)
      await startSession(session, exchange, context, sessions)
      return { success: true }
    }),
  ]
}
