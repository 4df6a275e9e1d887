import * as contract from '../../contract/profiles.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { linkedPage } from '../http/answers.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Call, type Route, route } from '../http/route.ts'
import { deleteAccount } from './deleteAccount.ts'
import { exportData } from './exportData.ts'
import { exportRatings } from './exportRatings.ts'
import { follow, getFollowStatus, listFollows, unfollow } from './follows.ts'
import { listPublicUsers } from './listPublicUsers.ts'
import { getProfile, updateProfile } from './profile.ts'
import { getAgreement, getDailyStats, getStats } from './stats.ts'

/** Each reads everything that the listener ever did. */
const RATING_DOWNLOADS = defineLimit({
  name: 'rating-download',
  max: 20,
  seconds: 3600,
  message: 'You have downloaded your ratings often. Please wait an hour.',
  counts: 'downloads of ratings',
  per: 'listener',
})
const DATA_DOWNLOADS = defineLimit({
  name: 'data-download',
  max: 20,
  seconds: 3600,
  message: 'You have downloaded your data often. Please wait an hour.',
  counts: 'downloads of all data',
  per: 'listener',
})

export function profileRoutes(sessions: Sessions): Route<Context>[] {
  return [
    route(contract.getMyStats, ({ user }, { db }: Context) => getStats(db, user.id)),

    route(contract.getDailyStats, ({ user, query }, { db }: Context) => getDailyStats(db, user.id, query.tz)),

    route(contract.getAgreement, ({ user, query }, { db }: Context) => getAgreement(db, user.id, query.tz)),

    route(contract.getUserStats, async ({ user, params }, { db }: Context) => {
      await getProfile(db, user.id, params.id)
      return getStats(db, params.id)
    }),

    route(contract.getProfile, ({ user, params }, { db }: Context) => getProfile(db, user.id, params.id)),

    route(contract.updateProfile, ({ user, body }, { db }: Context) => updateProfile(db, user.id, body)),

    route(contract.listPublicUsers, ({ user, query }, { db }: Context) =>
      listPublicUsers(db, user.id, { search: query.search, limit: contract.MAX_PUBLIC_USERS }),
    ),

    route(contract.getFollowStatus, ({ user, params }, { db }: Context) =>
      getFollowStatus(db, user.id, params.id),
    ),

    route(contract.follow, ({ user, params }, { db }: Context) => follow(db, user.id, params.id)),

    route(contract.unfollow, ({ user, params }, { db }: Context) => unfollow(db, user.id, params.id)),

    route(contract.listFollowers, (call, { db }: Context) => respondWithFollows(db, call, 'followers')),

    route(contract.listFollowing, (call, { db }: Context) => respondWithFollows(db, call, 'following')),

    route(contract.exportRatings, async ({ user, query }, { db }: Context) => {
      await enforceLimit(db, RATING_DOWNLOADS, user.id)
      return exportRatings(db, user.id, query.format)
    }),

    route(contract.exportData, async ({ user }, { db, env }: Context) => {
      await enforceLimit(db, DATA_DOWNLOADS, user.id)
      return exportData(db, env, user.id)
    }),

    route(contract.deleteAccount, async ({ user, body }, { db }: Context) => {
      const done = await deleteAccount(db, user.id, body.confirmation)
      sessions.evict(user.id)
      return done
    }),
  ]
}

async function respondWithFollows(
  db: Database,
  { user, params, query }: Call<typeof contract.listFollowers>,
  list: 'followers' | 'following',
) {
  const { follows, next } = await db.begin((tx) => listFollows(tx, user.id, params.id, list, query.after))
  return linkedPage(follows, next ? { after: next } : undefined)
}
