import * as contract from '../../contract/collections.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { SHARING_LIMIT } from '../sharing/shareTokens.ts'
import {
  addItem,
  createCollection,
  deleteCollection,
  listCollections,
  shareCollection,
  unshareCollection,
  updateCollection,
} from './collections.ts'

const NEW_COLLECTIONS_PER_LISTENER = defineLimit({
  name: 'collections',
  max: 100,
  seconds: 3600,
  message: 'You have created too many collections within an hour. Please wait a while.',
  counts: 'new collections',
  per: 'listener',
})

export const collectionRoutes: Route<Context>[] = [
  route(contract.listCollections, ({ user }, { db }: Context) => listCollections(db, user.id)),

  route(contract.createCollection, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, NEW_COLLECTIONS_PER_LISTENER, user.id)
    return createCollection(db, user.id, body)
  }),

  route(contract.updateCollection, ({ user, params, body }, { db }: Context) =>
    updateCollection(db, user.id, params.id, body),
  ),

  route(contract.addCollectionItem, ({ user, params, body }, { db }: Context) =>
    addItem(db, user.id, params.id, body.microgenreId),
  ),

  route(contract.shareCollection, async ({ user, params }, { db }: Context) => {
    await enforceLimit(db, SHARING_LIMIT, user.id)
    return shareCollection(db, user.id, params.id)
  }),

  route(contract.unshareCollection, ({ user, params }, { db }: Context) =>
    unshareCollection(db, user.id, params.id),
  ),

  route(contract.deleteCollection, ({ user, params }, { db }: Context) =>
    deleteCollection(db, user.id, params.id),
  ),
]
