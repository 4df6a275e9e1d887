import { FOLLOWS_PAGE_SIZE, type FollowListEntry, type FollowStatus } from '../../contract/profiles.ts'
import type { Database, Queryable, Transaction } from '../db/connection.ts'
import { followCounts } from '../db/followCounts.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import { getProfile, noSuchListener, type ProfileRow, profileColumns, toProfile } from './profile.ts'

/**
 * Whether one listener follows another, with the other's counts. A private listener is visible only to itself and to
 * its followers, who must be able to unfollow (people-2).
 * @throws HttpError 404
 */
export async function getFollowStatus(
  db: Queryable,
  follower: string,
  followed: string,
): Promise<FollowStatus> {
  const [row] = await db<FollowStatus[]>`
    select f.follower_id is not null as is_following, ${followCounts(db)}
    from users u left join follows f on f.follower_id = ${follower} and f.followed_id = u.id
    where u.id = ${followed} and u.suspended_at is null
      and (u.is_public or u.id = ${follower} or f.follower_id is not null)`
  if (!row) throw noSuchListener()
  return row
}

/** @throws HttpError 400 for oneself, 404 for a private or unknown listener (people-9), 401 */
export async function follow(db: Database, follower: string, followed: string): Promise<FollowStatus> {
  if (follower === followed) throw new HttpError(400, 'You cannot follow yourself.')
  return db.begin(async (tx) => {
    // Until the end, a deletion of one of them waits: afterwards nobody would remove this follow.
    const people = await tx<{ id: string; isShown: boolean }[]>`
      select id, is_public and suspended_at is null as is_shown from users
      where id in (${follower}, ${followed}) order by id for key share`
    if (!people.find(({ id }) => id === followed)?.isShown) throw noSuchListener()
    if (people.length < 2) throw signInRequired()
    await tx`
      insert into follows (follower_id, followed_id) values (${follower}, ${followed}) on conflict do nothing`
    return getFollowStatus(tx, follower, followed)
  })
}

/** Succeeds even when there was no follow (people-9), so the response does not reveal whether the listener exists. */
export async function unfollow(db: Database, follower: string, followed: string): Promise<FollowStatus> {
  const { count } =
    await db`delete from follows where follower_id = ${follower} and followed_id = ${followed}`
  const [counts] = await db<Omit<FollowStatus, 'isFollowing'>[]>`
    select ${followCounts(db)} from users u
    where u.id = ${followed} and (${count > 0} or u.is_public and u.suspended_at is null)`
  return { isFollowing: false, ...(counts ?? { followerCount: 0, followingCount: 0 }) }
}

/** Follows that a page reads at most, so one of many private followers may have fewer entries, or none. */
const MAX_FOLLOWS_READ = 1000

/**
 * A page of the followers of a listener, or of those whom the listener follows, newest first, and the cursor of the next
 * page if there may be one. Only public listeners and the viewer are named. In their own list viewers also find those who
 * became private, without a profile, so that they can unfollow (people-27).
 * @throws HttpError 404 for the lists of another listener who is private or unknown (people-26).
 */
export async function listFollows(
  tx: Transaction,
  viewer: string,
  listener: string,
  list: keyof typeof FOLLOW_COLUMNS,
  after: string | undefined,
): Promise<{ follows: FollowListEntry[]; next: string | undefined }> {
  await getProfile(tx, viewer, listener)
  // Read the index in order: a plan for the few follows of most listeners would read and sort those of the popular.
  await tx`set local enable_bitmapscan = off`
  const isOwn = viewer === listener
  const { of, listed } = FOLLOW_COLUMNS[list]
  const [time = '', id = ''] = after?.split('-') ?? []
  const older = tx`and (created_at, ${tx(listed)})
    < (timestamptz 'epoch' + ${time}::bigint * interval '1 microsecond', ${id}::bigint)`
  const read = tx`
    select ${tx(listed)} as id, created_at, (extract(epoch from created_at) * 1000000)::bigint as time from follows
    where ${tx(of)} = ${listener} ${after ? older : tx``}
    order by created_at desc, ${tx(listed)} desc limit ${MAX_FOLLOWS_READ}`
  const rows = await tx<FollowRow[]>`
    select ${profileColumns(tx, viewer)}, ${canBeNamed(tx, viewer)} as is_named, f.created_at as followed_at, f.time,
      mine.follower_id is not null as is_following
    from (${read}) f
    join users u on u.id = f.id
    left join follows mine on mine.follower_id = ${viewer} and mine.followed_id = u.id
    where ${canBeNamed(tx, viewer)} or ${isOwn && list === 'following'}
    order by f.created_at desc, f.id desc
    limit ${FOLLOWS_PAGE_SIZE + 1}`
  const page = rows.slice(0, FOLLOWS_PAGE_SIZE)
  const [lastRead] =
    rows.length > FOLLOWS_PAGE_SIZE
      ? page.slice(-1)
      : // It may be a private listener's: without the id, and rounded.
        await tx<{ time: string; id: string }[]>`
          select time / 1000 * 1000 as time, 1::bigint as id from (${read}) f offset ${MAX_FOLLOWS_READ - 1}`
  const follows = page.map(({ isNamed, followedAt, isFollowing, time: _, ...row }) => ({
    id: row.id,
    profile: isNamed ? toProfile(row) : null,
    isFollowing,
    followedAt: isNamed ? null : followedAt.toISOString(),
  }))
  return { follows, next: lastRead && `${lastRead.time}-${lastRead.id}` }
}

/** The columns of `follows` for the owner of a list, and for those in it. */
const FOLLOW_COLUMNS = {
  followers: { of: 'followed_id', listed: 'follower_id' },
  following: { of: 'follower_id', listed: 'followed_id' },
} as const

type FollowRow = ProfileRow & { isNamed: boolean; followedAt: Date; time: string; isFollowing: boolean }

const canBeNamed = (db: Queryable, viewer: string) =>
  db`(u.is_public and u.suspended_at is null or u.id = ${viewer})`
