import * as contract from '../../contract/listenbrainz.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { bringLoves } from './bringLoves.ts'
import { describeLink, linkAccount, setSendsBusts, unlinkAccount } from './links.ts'
import { sendPlaylist } from './sendPlaylist.ts'

const LINKS = defineLimit({
  name: 'listenbrainz-link',
  max: 20,
  seconds: 3600,
  message: 'You have tried many tokens. Please wait an hour.',
  counts: 'links to ListenBrainz',
  per: 'listener',
})
const LOVES = defineLimit({
  name: 'listenbrainz-loves',
  max: 10,
  seconds: 3600,
  message: 'You have imported your loves often. Please wait an hour.',
  counts: 'imports from ListenBrainz',
  per: 'listener',
})
const PLAYLISTS = defineLimit({
  name: 'listenbrainz-playlist',
  max: 30,
  seconds: 3600,
  message: 'You have sent many playlists. Please wait an hour.',
  counts: 'playlists sent to ListenBrainz',
  per: 'listener',
})

export function listenbrainzRoutes(): Route<Context>[] {
  return [
    route(contract.getListenbrainz, ({ user }, context: Context) => describeLink(context, user.id)),

    route(contract.linkListenbrainz, async ({ user, body }, context: Context) => {
      await enforceLimit(context.db, LINKS, user.id)
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
      await enforceLimit(context.db, PLAYLISTS, user.id)
      return sendPlaylist(context, user.id, body)
    }),

    route(contract.bringLoves, async ({ user }, context: Context) => {
      await enforceLimit(context.db, LOVES, user.id)
      return bringLoves(context, user.id)
    }),
  ]
}
