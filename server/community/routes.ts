import * as contract from '../../contract/community.ts'
import { getLongTail } from '../../contract/community.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { readLongTail } from './longTail.ts'
import { getCommunityStats, listDivided, listMicrogenreStats, listTrending } from './totals.ts'

export const communityRoutes: Route<Context>[] = [
  route(contract.getCommunityStats, (_, { read }: Context) => read(getCommunityStats)),

  route(contract.listTrending, (_, { read, env }: Context) => read((db) => listTrending(db, env))),

  // From the primary: a replica may not have the caller's new pass yet.
  route(contract.listDivided, ({ user }, { db, env }: Context) => listDivided(db, env, user.id)),

  route(contract.listMicrogenreStats, (_, { read }: Context) => read(listMicrogenreStats)),

  route(getLongTail, (_, { read }: Context) => read(readLongTail)),
]
