import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Moment, MomentInput, PageCursor, Rating, RatingTime, Song, Success } from './shapes.ts'

export const RatedSong = z.object({ id: Id, rating: Rating, createdAt: Moment, song: Song })
export type RatedSong = z.infer<typeof RatedSong>

export const listRatings = endpoint('GET /api/users/me/ratings', {
  access: 'signed-in',
  scope: 'read',
  isStable: true,
  summary:
    "All of the listener's ratings, newest first; `type` filters them (library-10). " +
    '`Range: items=20-39` requests only a part of it; Content-Range then has the total (library-16). With `limit` the ' +
    'list comes in pages: `Link` names the next one (library-19).',
  query: z.object({
    type: z.optional(Rating),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
    after: z.optional(PageCursor),
  }),
  response: z.array(RatedSong),
  ranges: 'items',
  // Long lists are written one at a time, so they wait for each other.
  deadline: 30_000,
})

/** The most of one call; a browser may have more (visitors-23). */
export const MAX_PAST_RATINGS = 50

/** A rating from before its listener signed in. */
export const PastRating = z.object({ songId: Id, rating: Rating, ratedAt: MomentInput })
export type PastRating = z.infer<typeof PastRating>

export const addPastRatings = endpoint('POST /api/users/me/ratings', {
  access: 'signed-in',
  summary:
    'Adds ratings that the listener gave as a visitor, with their times, of at most 30 days ago. Songs that the listener has rated, retired and unknown ones are left out. Idempotent (visitors-23).',
  body: z.object({
    ratings: z.array(PastRating).check(z.maxLength(MAX_PAST_RATINGS, 'has too many items')),
  }),
  response: z.object({ added: z.int() }),
})

export const RatingChanges = z.object({
  /** Rated, rated again, or restored by undo; newest first. */
  ratings: z.array(RatedSong),
  /** Songs whose rating was removed. */
  removed: z.array(Id),
  totalBangers: z.int(),
  totalRatings: z.int(),
})
export type RatingChanges = z.infer<typeof RatingChanges>

export const listRatingChanges = endpoint('GET /api/users/me/ratings/changes', {
  access: 'signed-in',
  scope: 'read',
  summary:
    "What has changed in the listener's ratings since the newest one that a page knows, `since` its `createdAt`. Null " +
    'if that was more than seven days ago or more than 500 ratings have changed: then load the list (library-17).',
  query: z.object({ since: MomentInput }),
  response: z.nullable(RatingChanges),
})

export const removeRating = endpoint('DELETE /api/users/me/ratings/:songId', {
  params: z.object({ songId: Id }),
  access: 'signed-in',
  scope: 'rate',
  isStable: true,
  summary:
    'Removes a rating. With undo=true the rating that it replaced in an earlier pass is restored. `ratedAt`, or ' +
    '`createdAt` from a list, names the rating that is meant, so that a retry, or a newer rating, changes nothing.',
  query: z.object({
    undo: z.optional(z.enum(['true', 'false'])),
    ratedAt: z.optional(RatingTime),
    createdAt: z.optional(MomentInput),
  }),
  response: Success,
})
