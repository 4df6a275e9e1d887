import { foldText } from '../../contract/foldText.ts'
import type { Person } from '../../contract/profiles.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { containsPattern, FOLD_BATCH, mayContain } from '../db/searchTexts.ts'
import { type ProfileRow, profileColumns, toProfile } from './profile.ts'

interface PublicUserQuery {
  /** Literal text in a name, a bio or a shown address, however typed (people-11). */
  search?: string
  limit: number
}

/**
 * Public listeners except the viewer, most followed first.
 *
 * A frequent text has many matches in the index, which is unordered. So the thousand most followed listeners are
 * searched first, then twenty thousand if these are likely to be enough.
 */
export async function listPublicUsers(
  db: Database,
  viewer: string,
  { search: typed = '', limit }: PublicUserQuery,
): Promise<Person[]> {
  const query = { search: foldText(typed), limit }
  if (query.search) await foldPeople(db)
  const first = await readPeople(db, viewer, query, 'thousand')
  if (first.length === query.limit) return first
  if (query.search && first.length * 20 >= query.limit) {
    const more = await readPeople(db, viewer, query, 'twenty thousand')
    if (more.length === query.limit) return more
  }
  return readPeople(db, viewer, query, 'all')
}

async function readPeople(
  db: Database,
  viewer: string,
  { search = '', limit }: PublicUserQuery,
  among: 'thousand' | 'twenty thousand' | 'all',
): Promise<Person[]> {
  const isShown = db`is_public and suspended_at is null and id <> ${viewer}`
  // OFFSET 0 keeps the planner from reading everybody in order.
  const everybody = db`(select users.*, coalesce(c.followers, 0) as followers
    from users left join follow_counts c on c.user_id = id
    where ${isShown} ${search === '' ? db`` : db`and ${mayContain(db, db`folded`, db`array[${search}]`)}`} offset 0) u`
  // Literals, which the planner also knows in a cached plan.
  const most = among === 'thousand' ? db`limit 1000` : db`limit 20000`
  const mostFollowed = db`(select users.*, c.followers from follow_counts c join users on id = c.user_id where ${isShown}
    order by c.followers desc, c.user_id ${search === '' ? db`limit ${limit}` : most}) u`
  const rows = await db<(ProfileRow & { isFollowing: boolean })[]>`
    select ${profileColumns(db, viewer)}, mine.follower_id is not null as is_following
    from ${among === 'all' ? everybody : mostFollowed}
    left join follows mine on mine.follower_id = ${viewer} and mine.followed_id = u.id
    ${search === '' ? db`` : db`where u.folded like ${containsPattern(search)}`}
    order by u.followers desc, u.id
    limit ${limit}`
  return rows.map(({ isFollowing, ...row }) => ({ ...toProfile(row), isFollowing }))
}

/**
 * Folds the names and public texts of people that have changed (people-11, accounts-2). Each search calls it first, so
 * writers need not. Returns the last id of a full batch, else null.
 */
export async function foldPeople(db: Queryable, after = '0'): Promise<string | null> {
  const shown = db`coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(31)
  || case when is_public then coalesce(bio, '') || chr(31) || case when show_email then coalesce(email, '') else '' end
     else '' end`
  const rows = await db<{ id: string; shown: string; hash: string }[]>`
    select id, ${shown} as shown, hashtextextended(${shown}, 0) as hash from users
    where folded_from is distinct from hashtextextended(${shown}, 0) and id + 0 > ${after}::bigint
    order by id + 0 limit ${FOLD_BATCH}`
  if (rows.length > 0)
    await db`
      update users u set folded = v.folded, folded_from = v.hash
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ shown }) => foldText(shown))}::text[],
        ${rows.map(({ hash }) => hash)}::bigint[]) as v (id, folded, hash)
      where u.id in (select id from users where id = any(${rows.map(({ id }) => id)}::bigint[]) for no key update skip locked)
        and u.id = v.id`
  return rows.length === FOLD_BATCH ? (rows.at(-1)?.id ?? null) : null
}
