import {
  achievementPage,
  blindRoundPage,
  collectionPage,
  mixPage,
  type SharedPage,
} from '../../contract/sharedPage.ts'
import type {
  SharedAchievement,
  SharedCollection,
  SharedMix,
  ShareKind,
  Sharer,
} from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { listSongsOfDay, toVisitorSong } from '../visitors/visitorSong.ts'
import { readBlindRound } from './blindRounds.ts'
import { readRatedSongs } from './ratedSongs.ts'
import { ensureShareToken, isShareToken, type WithOwner } from './shareTokens.ts'

/** A shared item as a visitor may see it. */
interface SharedItem {
  page: SharedPage
  /** The listener who shares it. Never sent to clients. */
  owner: string
}

/** Reads a shared item without counting a view; null for an unknown token, and for rounds with VISITORS=off. */
export async function readShared(
  db: Database,
  env: Env,
  kind: ShareKind,
  token: string,
): Promise<SharedItem | null> {
  const toItem = <T extends { owner: string }>(item: T | null, toPage: (item: T) => SharedPage) =>
    item && { page: toPage(item), owner: item.owner }
  if (kind === 'collection') return toItem(await readSharedCollection(db, token), collectionPage)
  if (kind === 'achievement') return toItem(await readSharedAchievement(db, token), achievementPage)
  if (kind === 'mix') return toItem(await readSharedMix(db, env, token), mixPage)
  return env.visitors ? toItem(await readBlindRound(db, env, token), blindRoundPage) : null
}

interface CollectionRow extends Sharer {
  owner: string
  name: string
  description: string | null
  createdAt: Date
  viewCount: number
  items: { id: string; addedAt: string; microgenreId: string }[]
}

/** A shared collection for a visitor. Counts the view in the same statement (sharing-13). */
export async function viewSharedCollection(
  db: Database,
  token: string,
  viewer: string | null,
): Promise<SharedCollection | null> {
  const [row] = isShareToken(token)
    ? await db<CollectionRow[]>`
        with shared as (
          update collections c set view_count = c.view_count + 1
          from share_tokens t
          where t.token = ${token} and t.kind = 'collection' and c.id = t.target_id and c.user_id = t.user_id
            and (c.is_public or c.user_id = ${viewer})
            and exists (select from users u where u.id = c.user_id and u.suspended_at is null)
          returning c.*)
        ${selectCollection(db)} from shared c join users u on u.id = c.user_id`
    : []
  return row ? toSharedCollection(db, row) : null
}

/** `viewSharedCollection` without counting, for the HTML, the pictures and HEAD; null where `viewer` gets 404. */
export async function readSharedCollection(
  db: Database,
  token: string,
  viewer: string | null = null,
): Promise<WithOwner<SharedCollection> | null> {
  if (!isShareToken(token)) return null
  const [row] = await db<CollectionRow[]>`
    ${selectCollection(db)} from share_tokens t
    join collections c on c.id = t.target_id and c.user_id = t.user_id
    join users u on u.id = c.user_id
    where t.token = ${token} and t.kind = 'collection' and (c.is_public or c.user_id = ${viewer})
      and u.suspended_at is null`
  return row ? { ...(await toSharedCollection(db, row)), owner: row.owner } : null
}

/** Per microgenre (sharing-12). */
const MAX_SONGS = 3

/** The collection with songs to hear. */
export async function withSongs(
  db: Database,
  env: Env,
  collection: SharedCollection,
): Promise<SharedCollection> {
  if (!env.visitors) return collection
  const keys = collection.items.map(({ microgenre }) => microgenre.key)
  const songs = await listSongsOfDay(db, env, keys, MAX_SONGS)
  const items = collection.items.map(({ microgenre, ...item }) => ({
    ...item,
    microgenre: { ...microgenre, songs: songs.filter((song) => song.microgenre.key === microgenre.key) },
  }))
  return { ...collection, items }
}

/** All dead links get this response, so that none reveals the reason (sharing-4). */
export function orNotShared<T>(item: T | null): T {
  if (item === null) throw new HttpError(404, 'Nothing is shared at this address.')
  return item
}

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

type MicrogenreRow = Omit<SharedCollection['items'][number]['microgenre'], 'songs'> & { id: string }

/** Per microgenre (sharing-12). */
const MAX_RECORDINGS = 3

/** Reads microgenres separately, because Citus cannot update and join them in one statement. */
async function toSharedCollection(
  db: Database,
  { owner: _, firstName, lastName, profileImageUrl, createdAt, items, ...row }: CollectionRow,
): Promise<SharedCollection> {
  const microgenres = await db<MicrogenreRow[]>`
    select id, key, name, color, description, (
      select coalesce(json_agg(json_build_object('title', s.title, 'audio', s.audio) order by s.id), '[]') from (
        select * from songs where microgenre_id = m.id and audio is not null and retired_at is null
          and blocked_audio_url is distinct from audio->>'url'
        order by id limit ${MAX_RECORDINGS}) s) as recordings
    from microgenres m where id = any(${items.map(({ microgenreId }) => microgenreId)}::bigint[])`
  const microgenreById = new Map(
    microgenres.map(({ id, ...microgenre }) => [id, { ...microgenre, songs: [] }]),
  )
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

interface AchievementRow extends Sharer {
  owner: string
  type: string
  metadata: Record<string, unknown> | null
  createdAt: Date
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
  const [row] = await db<AchievementRow[]>`
    select a.user_id as owner, a.type, a.metadata, a.created_at, u.first_name, u.last_name, u.profile_image_url,
      m.name as genre_name, m.color as genre_color
    from share_tokens t
    join users u on u.id = t.user_id and u.suspended_at is null
    join achievements a on a.user_id = t.user_id and a.id = t.target_id
    left join microgenres m on m.id = a.scope
    where t.token = ${token} and t.kind = 'achievement'`
  return row ? { ...toSharedAchievement(row), owner: row.owner } : null
}

function toSharedAchievement(row: AchievementRow): SharedAchievement {
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

/** A public mix, with those of its songs that are bangers of its owner and not retired; null for an unknown token. */
export async function readSharedMix(
  db: Database,
  env: Env,
  token: string,
): Promise<WithOwner<SharedMix> | null> {
  if (!isShareToken(token)) return null
  type Row = Sharer & { owner: string; name: string; songIds: string[]; createdAt: Date }
  const [mix] = await db<Row[]>`
    select x.user_id as owner, x.name, x.song_ids, x.created_at, u.first_name, u.last_name, u.profile_image_url
    from share_tokens t
    join mixes x on x.id = t.target_id and x.user_id = t.user_id
    join users u on u.id = x.user_id and u.suspended_at is null
    where t.token = ${token} and t.kind = 'mix'`
  if (!mix) return null
  const { owner, name, songIds, createdAt, ...user } = mix
  const rows = await readRatedSongs(db, owner, songIds)
  const songs = rows
    .filter(({ banger }) => banger)
    .map((row) => ({
      ...toVisitorSong(row, env),
      spotifyId: row.spotifyId,
      deezerTrackId: row.deezerTrackId,
    }))
  return { owner, name, createdAt: createdAt.toISOString(), user, songs }
}
