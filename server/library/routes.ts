import * as contract from '../../contract/library.ts'
import type { Context } from '../context.ts'
import { firstItems } from '../http/answers.ts'
import { type Route, route } from '../http/route.ts'
import { listNewestRatings, listRatings, removeRating } from './ratings.ts'

export const libraryRoutes: Route<Context>[] = [
  route(contract.listRatings, async ({ user, query, exchange }, { db, env }: Context) => {
    if (exchange.firstItems === null) return listRatings(db, env, user.id, query.type)
    const { ratings, total } = await listNewestRatings(db, env, user.id, query.type, exchange.firstItems)
    return firstItems(ratings, total)
  }),

  route(contract.removeRating, ({ user, params, query }, { db }: Context) =>
    removeRating(db, user.id, params.songId, { undo: query.undo === 'true', ratedAt: query.ratedAt }),
  ),
]
