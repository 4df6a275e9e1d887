import * as contract from '../../contract/profiles.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { getDailyStats, getStats } from './stats.ts'

export const profileRoutes: Route<Context>[] = [
  route(contract.getMyStats, ({ user }, { db }: Context) => getStats(db, user.id)),

  route(contract.getDailyStats, ({ user, query }, { db }: Context) => getDailyStats(db, user.id, query.tz)),
]
