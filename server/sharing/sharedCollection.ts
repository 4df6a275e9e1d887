import type { SharedCollection } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { isShareToken, type WithOwner } from './shareTokens.ts'

interface Row {
  owner: string
  name: string
  description: string | null
  createdAt: Date
  viewCount: number
  firstName: string | null
  lastName: string | null
  profileImageUrl: string | null
  items: { id: string; addedAt: string; microgenreId: string }[]
}

/** A shared collection for a visitor. Counts the view in the same statement (sharing-13). */
export async function viewSharedCollection(
  db: Database,
  token: string,
  viewer: string | null,
): Promise<SharedCollection> {
  const [row] = isShareToken(token)
    ? await db<Row[]>`
        with shared as (
          update collections c set view_count = c.view_count + 1
          from share_tokens t
          where t.token = ${token} and t.kind = 'collection' and c.id = t.target_id and c.user_id = t.user_id
            and (c.is_public or c.user_id = ${viewer})
            and exists (select from users u where u.id = c.user_id and u.suspended_at is null)
          returning c.*)
        ${selectCollection(db)} from shared c join users u on u.id = c.user_id`
    : []
  if (!row) throw notShared()
  return toShared(db, row)
}

/** The same without counting, for the HTML, the pictures and HEAD; null where `viewer` gets 404. */
export async function readSharedCollection(
  db: Database,
  token: string,
  viewer: string | null = null,
): Promise<WithOwner<SharedCollection> | null> {
  if (!isShareToken(token)) return null
  const [row] = await db<Row[]>`
    ${selectCollection(db)} from share_tokens t
    join collections c on c.id = t.target_id and c.user_id = t.user_id
    join users u on u.id = c.user_id
    where t.token = ${token} and t.kind = 'collection' and (c.is_public or c.user_id = ${viewer})
      and u.suspended_at is null`
  return row ? { ...(await toShared(db, row)), owner: row.owner } : null
}

/** All dead links get this response, so that none reveals the reason (sharing-4). */
export const notShared = () => new HttpError(404, 'Nothing is shared at this address.')

const selectCollection = (db: Database) => db`
  select c.user_id as owner, c.name, c.description, c.created_at, c.view_count, u.first_name, u.last_name, u.profile_image_url,
    coalesce(
      (select json_agg(json_build_object(
          'id', i.id::text,
          'addedAt', to_char(i.added_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'microgenreId', i.microgenre_id::text
        ) order by i.id)
       from collection_items i
       where i.collection_id = c.id),
      '[]') as items`

/** Reads microgenres separately, because Citus cannot update and join them in one statement. */
async function toShared(
  db: Database,
  { owner: _, firstName, lastName, profileImageUrl, createdAt, items, ...row }: Row,
): Promise<SharedCollection> {
  const microgenres = await db<{ id: string; name: string; color: string; description: string }[]>`
    select id, name, color, description from microgenres
    where id = any(${items.map(({ microgenreId }) => microgenreId)}::bigint[])`
  const microgenreById = new Map(microgenres.map(({ id, ...microgenre }) => [id, microgenre]))
  return {
    ...row,
    items: items.flatMap(({ microgenreId, ...item }) => {
      const microgenre = microgenreById.get(microgenreId)
      return microgenre ? [{ ...item, microgenre }] : []
    }),
    createdAt: createdAt.toISOString(),
    user: { firstName, lastName, profileImageUrl },
  }
}
