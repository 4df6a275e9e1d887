import type { FollowListEntry } from '../../contract/profiles.ts'
import type { Database } from '../db/connection.ts'
import type { ItemRange } from '../http/itemRange.ts'
import { getProfile, type ProfileRow, profileColumns, toProfile } from './profile.ts'

/**
 * Followers of a listener, or those whom the listener follows, newest first, with the length of the list. Only public
 * listeners and the viewer are named. In their own list viewers also find those who became private, without a profile,
 * so that they can unfollow (people-27).
 * @throws HttpError 404 for the lists of another listener who is private or unknown (people-26).
 */
export async function listFollows(
  db: Database,
  viewer: string,
  listener: string,
  list: keyof typeof FOLLOW_COLUMNS,
  { from, limit: most }: ItemRange,
): Promise<{ follows: FollowListEntry[]; total: number }> {
  await getProfile(db, viewer, listener)
  const isOwn = viewer === listener
  const { of, listed } = FOLLOW_COLUMNS[list]
  const rows = await db<FollowRow[]>`
    select ${profileColumns(db, viewer)}, ${canBeNamed(db, viewer)} as is_named, f.created_at as followed_at,
      mine.follower_id is not null as is_following, count(*) over ()::int as total
    from follows f
    join users u on u.id = f.${db(listed)}
    left join follows mine on mine.follower_id = ${viewer} and mine.followed_id = u.id
    where f.${db(of)} = ${listener} and (${canBeNamed(db, viewer)} or ${isOwn && list === 'following'})
    order by f.created_at desc, u.id desc
    limit ${most} offset ${from}`
  const follows = rows.map(({ isNamed, followedAt, isFollowing, total: _, ...row }) => ({
    id: row.id,
    profile: isNamed ? toProfile(row) : null,
    isFollowing,
    followedAt: isNamed ? null : followedAt.toISOString(),
  }))
  return { follows, total: rows[0]?.total ?? 0 }
}

/** The columns of `follows` for the owner of a list, and for those in it. */
const FOLLOW_COLUMNS = {
  followers: { of: 'followed_id', listed: 'follower_id' },
  following: { of: 'follower_id', listed: 'followed_id' },
} as const

type FollowRow = ProfileRow & { isNamed: boolean; followedAt: Date; isFollowing: boolean; total: number }

const canBeNamed = (db: Database, viewer: string) =>
  db`(u.is_public and u.suspended_at is null or u.id = ${viewer})`
