import type { SharedAchievement } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { ensureShareToken, isShareToken, type WithOwner } from './shareTokens.ts'

interface Row {
  owner: string
  type: string
  metadata: Record<string, unknown> | null
  createdAt: Date
  firstName: string | null
  lastName: string | null
  profileImageUrl: string | null
  genreName: string | null
  genreColor: string | null
}

/**
 * The token of the share link of the listener's achievement (sharing-7).
 * @throws HttpError 404 for another listener's or an unknown achievement.
 */
export async function shareAchievement(
  db: Database,
  listener: string,
  id: string,
): Promise<{ shareToken: string }> {
  const [ownAchievement] = await db`select from achievements where user_id = ${listener} and id = ${id}`
  if (!ownAchievement) throw new HttpError(404, 'You have no such achievement.')
  return { shareToken: await ensureShareToken(db, listener, 'achievement', id) }
}

/** The data of the page, its HTML and its pictures; null for an unknown token. */
export async function readSharedAchievement(
  db: Database,
  token: string,
): Promise<WithOwner<SharedAchievement> | null> {
  if (!isShareToken(token)) return null
  const [row] = await db<Row[]>`
    select a.user_id as owner, a.type, a.metadata, a.created_at, u.first_name, u.last_name, u.profile_image_url,
      m.name as genre_name, m.color as genre_color
    from share_tokens t
    join users u on u.id = t.user_id and u.suspended_at is null
    join achievements a on a.user_id = t.user_id and a.id = t.target_id
    left join microgenres m on m.id = a.scope
    where t.token = ${token} and t.kind = 'achievement'`
  return row ? { ...toShared(row), owner: row.owner } : null
}

function toShared(row: Row): SharedAchievement {
  const { firstName, lastName, profileImageUrl, genreName, genreColor } = row
  return {
    type: row.type,
    metadata: pickPublicMetadata(row.metadata),
    createdAt: row.createdAt.toISOString(),
    user: { firstName, lastName, profileImageUrl },
    microgenre: genreName && genreColor ? { name: genreName, color: genreColor } : null,
  }
}

/** Only these are public, and only as text or numbers (sharing-16). */
const PUBLIC_METADATA_KEYS = ['microgenreName', 'bangers', 'ratings', 'streak', 'genres']

function pickPublicMetadata(metadata: Record<string, unknown> | null): Record<string, string | number> {
  const entries = Object.entries(metadata ?? {}).filter(
    (entry): entry is [string, string | number] =>
      PUBLIC_METADATA_KEYS.includes(entry[0]) && ['string', 'number'].includes(typeof entry[1]),
  )
  return Object.fromEntries(entries)
}
