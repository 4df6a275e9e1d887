import type { Queryable } from './connection.ts'

/** The columns with the counts of the listener `u`. */
export const followCounts = (db: Queryable) => db`
  coalesce((select c.followers from follow_counts c where c.user_id = u.id), 0) as follower_count,
  coalesce((select c.following from follow_counts c where c.user_id = u.id), 0) as following_count`
