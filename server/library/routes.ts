import * as exportContract from '../../contract/exports.ts'
import * as contract from '../../contract/library.ts'
import type { Context } from '../context.ts'
import { linkedPage, longList, partialList } from '../http/answers.ts'
import { HttpError } from '../http/HttpError.ts'
import { FairQueue } from '../http/limits/FairQueue.ts'
import { CallCounts } from '../http/limits/limitCalls.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { countExport, exportBangers } from './exportBangers.ts'
import {
  addPastRatings,
  countRatings,
  listRatingChanges,
  listRatings,
  listRatingsPage,
  listRatingsRange,
  removeRating,
  streamRatings,
} from './ratings.ts'

/** Longer lists are queued, because they cost time, and never returned as a range. */
const MAX_SHORT_LIST = 500

/** In long lists of one listener. The general limit counts calls, not their cost. */
const RATINGS_PER_MINUTE = 200_000

/** Cheap: a queued call holds only its HTTP connection. */
const LONG_LIST_QUEUE = { waitingPerKey: 4, waiting: 1000, retryAfter: 2 }

/** Both read the whole library. */
const PLAYLIST_DOWNLOADS = defineLimit({
  name: 'playlist-download',
  max: 60,
  seconds: 3600,
  message: 'You have downloaded many playlists. Please wait an hour.',
  counts: 'downloads of playlists',
  per: 'listener',
})
const PLAYLIST_COUNTS = defineLimit({
  name: 'playlist-count',
  max: 200,
  seconds: 3600,
  message: 'You have counted your songs often. Please wait an hour.',
  counts: 'counts of songs for playlists',
  per: 'listener',
})
/** Twice what a browser stores, so that no program pushes totals by batches. */
const PAST_RATINGS = defineLimit({
  name: 'past-ratings',
  max: 20,
  seconds: 3600,
  message: 'Many ratings were added already. Please wait an hour.',
  counts: 'calls that add ratings from before signing in',
  per: 'listener',
})

export function libraryRoutes(): Route<Context>[] {
  const longLists = new FairQueue(LONG_LIST_QUEUE)
  const counts = new CallCounts()

  /** @throws HttpError 429 */
  function countCost(listener: string, ratings: number): void {
    const { current, wait } = counts.add(listener, ratings)
    if (current > RATINGS_PER_MINUTE)
      throw new HttpError(429, 'Too many long lists. Please wait a moment.', { retryAfter: wait })
  }

  return [
    route(contract.listRatings, async ({ user, query, exchange }, { db, env }: Context) => {
      const { range, signal } = exchange
      const { type, after, limit = MAX_SHORT_LIST } = query
      if (query.limit || after) {
        const { ratings, next } = await listRatingsPage(db, env, user.id, { type, limit, after })
        return linkedPage(
          ratings,
          next ? { ...(type && { type }), limit: String(limit), after: next } : undefined,
        )
      }
      if (range && range.limit <= MAX_SHORT_LIST) {
        const { ratings, total } = await listRatingsRange(db, env, user.id, type, range)
        return partialList(ratings, range.from, total)
      }
      const ratings = await countRatings(db, user.id)
      if (ratings <= MAX_SHORT_LIST) return listRatings(db, env, user.id, type)
      countCost(user.id, ratings)
      const make = () =>
        // All batches read the same snapshot.
        db.begin('isolation level repeatable read read only', (tx) =>
          longList(streamRatings(tx, env, user.id, type), exchange, signal),
        )
      return longLists.run(user.id, make, signal)
    }),

    route(contract.addPastRatings, async ({ user, body }, { db }: Context) => {
      await enforceLimit(db, PAST_RATINGS, user.id)
      return addPastRatings(db, user.id, body.ratings)
    }),

    route(contract.listRatingChanges, ({ user, query }, { db, env }: Context) =>
      listRatingChanges(db, env, user.id, new Date(query.since)),
    ),

    route(contract.removeRating, ({ user, params, query }, { db }: Context) =>
      removeRating(db, user.id, params.songId, {
        undo: query.undo === 'true',
        ratedAt: query.ratedAt ?? query.createdAt,
      }),
    ),

    route(exportContract.countExport, async ({ user, query }, { db }: Context) => {
      await enforceLimit(db, PLAYLIST_COUNTS, user.id)
      return countExport(db, user.id, query)
    }),

    route(exportContract.exportBangers, async ({ user, query }, { db }: Context) => {
      await enforceLimit(db, PLAYLIST_DOWNLOADS, user.id)
      return exportBangers(db, user.id, query)
    }),
  ]
}
