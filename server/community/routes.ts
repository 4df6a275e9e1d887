import * as contract from '../../contract/community.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { getCommunityStats, listMicrogenreStats, listTrending } from './totals.ts'

export const communityRoutes: Route<Context>[] = [
  route(contract.getCommunityStats, (_, { db }: Context) => getCommunityStats(db)),

  route(contract.listTrending, (_, { db, env }: Context) => listTrending(db, env)),

  route(contract.listMicrogenreStats, (_, { db }: Context) => listMicrogenreStats(db)),
]
