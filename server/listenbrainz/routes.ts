import * as contract from '../../contract/listenbrainz.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { importLoves } from './importLoves.ts'
import { describeLink, linkAccount, setSendsBusts, unlinkAccount } from './links.ts'
import { sendPlaylist } from './sendPlaylist.ts'

const LIMIT = defineLimit({
  name: 'listenbrainz',
  max: 30,
  seconds: 3600,
  message: 'You have asked your other service often. Please wait an hour.',
  counts: 'calls to ListenBrainz',
  per: 'listener',
})

export function listenbrainzRoutes(): Route<Context>[] {
  return [
    route(contract.getListenbrainz, ({ user }, context: Context) => describeLink(context, user.id)),

    route(contract.linkListenbrainz, async ({ user, body }, context: Context) => {
      await enforceLimit(context.db, LIMIT, user.id)
      await linkAccount(context, user.id, body.token)
      return describeLink(context, user.id)
    }),

    route(contract.sendBusts, async ({ user, body }, context: Context) => {
      await setSendsBusts(context.db, user.id, body.send)
      return describeLink(context, user.id)
    }),

    route(contract.unlinkListenbrainz, async ({ user }, { db }: Context) => {
      await unlinkAccount(db, user.id)
      return { success: true }
    }),

    route(contract.sendPlaylist, async ({ user, body }, context: Context) => {
      await enforceLimit(context.db, LIMIT, user.id)
      return sendPlaylist(context, user.id, body)
    }),

    route(contract.importLoves, async ({ user }, context: Context) => {
      await enforceLimit(context.db, LIMIT, user.id)
      return importLoves(context, user.id)
    }),
  ]
}
