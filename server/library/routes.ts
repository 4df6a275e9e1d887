import * as contract from '../../contract/library.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { listRatings, removeRating } from './ratings.ts'

export const libraryRoutes: Route<Context>[] = [
  route(contract.listRatings, ({ user, query }, { db, env }: Context) =>
    listRatings(db, env, user.id, query.type),
  ),

  route(contract.removeRating, ({ user, params, query }, { db }: Context) =>
    removeRating(db, user.id, params.songId, query.undo === 'true'),
  ),
]
