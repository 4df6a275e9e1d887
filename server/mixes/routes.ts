import * as contract from '../../contract/mixes.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { SHARING_LIMIT } from '../sharing/shareTokens.ts'
import { createMix, deleteMix, listMixes, updateMix } from './mixes.ts'

const NEW_MIXES_PER_LISTENER = defineLimit({
  name: 'mixes',
  max: 100,
  seconds: 3600,
  message: 'You have made too many mixes within an hour. Please wait a while.',
  counts: 'new mixes',
  per: 'listener',
})

export const mixRoutes: Route<Context>[] = [
  route(contract.listMixes, ({ user }, { db }: Context) => listMixes(db, user.id)),

  route(contract.createMix, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, NEW_MIXES_PER_LISTENER, user.id)
    return createMix(db, user.id, body)
  }),

  route(contract.updateMix, async ({ user, params, body }, { db }: Context) => {
    if (body.isPublic) await enforceLimit(db, SHARING_LIMIT, user.id)
    return updateMix(db, user.id, params.id, body)
  }),

  route(contract.deleteMix, ({ user, params }, { db }: Context) => deleteMix(db, user.id, params.id)),
]
