import type { BodyOf } from '../../contract/endpoint.ts'
import type * as contract from '../../contract/mixes.ts'
import { MAX_MIX_SONGS, MAX_MIXES, type Mix } from '../../contract/mixes.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { deleteShareToken, ensureShareToken } from '../sharing/shareTokens.ts'

/** The listener's mixes, newest first; with `id` only that one. */
export async function listMixes(db: Queryable, owner: string, id: string | null = null): Promise<Mix[]> {
  const rows = await db<(Omit<Mix, 'createdAt'> & { createdAt: Date })[]>`
    select x.id, x.name, x.song_ids, x.created_at, t.token as share_token
    from mixes x left join share_tokens t on t.kind = 'mix' and t.target_id = x.id and t.user_id = x.user_id
    where x.user_id = ${owner} and x.id = coalesce(${id}, x.id)
    order by x.id desc`
  const allIds = rows.flatMap(({ songIds }) => songIds)
  const bangers = await readBangers(db, owner, allIds)
  return rows.map(({ createdAt, songIds, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    songIds: songIds.filter((song) => bangers.has(song)),
  }))
}

/**
 * @throws HttpError 404 when a song is no banger of the listener; 409 when there are `MAX_MIXES`, which concurrent calls
 * can exceed by a few.
 */
export async function createMix(
  db: Database,
  owner: string,
  { name, songIds, isPublic }: BodyOf<typeof contract.createMix>,
): Promise<Mix> {
  return db.begin(async (tx) => {
    await requireBangers(tx, owner, songIds)
    const [row] = await tx<{ id: string; createdAt: Date }[]>`
      insert into mixes (user_id, name, song_ids) select ${owner}, ${name}, ${songIds}::bigint[]
      where (select count(*) from mixes where user_id = ${owner}) < ${MAX_MIXES}
      returning id, created_at`
    if (!row) throw new HttpError(409, `You have ${MAX_MIXES} mixes. Delete one first.`)
    const shareToken = isPublic ? await ensureShareToken(tx, owner, 'mix', row.id) : null
    return { id: row.id, name, songIds, createdAt: row.createdAt.toISOString(), shareToken }
  })
}

/**
 * Changes the given fields. A mix that becomes private loses its link at once (sharing-24).
 * @throws HttpError 404 for another listener's or an unknown mix, or when a new song is no banger of the listener.
 */
export async function updateMix(
  db: Database,
  owner: string,
  id: string,
  { name, songIds, isPublic }: BodyOf<typeof contract.updateMix>,
): Promise<Mix> {
  return db.begin(async (tx) => {
    const [before] = await tx<{ songIds: string[] }[]>`
      select song_ids from mixes where id = ${id} and user_id = ${owner} for update`
    if (!before) throw noSuchMix()
    const stored = songIds ? await requireBangers(tx, owner, songIds, before.songIds) : before.songIds
    await tx`
      update mixes set name = coalesce(${name ?? null}, name), song_ids = ${stored}::bigint[] where id = ${id}`
    if (isPublic) await ensureShareToken(tx, owner, 'mix', id)
    if (isPublic === false) await deleteShareToken(tx, 'mix', id)
    const [changed] = await listMixes(tx, owner, id)
    if (!changed) throw new Error('A locked row is gone.')
    return changed
  })
}

/** @throws HttpError 404 for another listener's or an unknown mix. */
export async function deleteMix(db: Database, owner: string, id: string): Promise<{ success: boolean }> {
  return db.begin(async (tx) => {
    const deleted = await tx`delete from mixes where id = ${id} and user_id = ${owner}`
    if (deleted.count === 0) throw noSuchMix()
    await deleteShareToken(tx, 'mix', id)
    return { success: true }
  })
}

const noSuchMix = () => new HttpError(404, 'You have no such mix.')

/**
 * The songs, and behind them those of `before` that are no bangers now: they come back with the rating (sharing-23).
 * @throws HttpError 404 when a song that is not in `before` is no banger of the listener.
 */
async function requireBangers(db: Queryable, owner: string, songIds: string[], before: string[] = []) {
  const bangers = await readBangers(db, owner, [...songIds, ...before])
  if (songIds.some((song) => !bangers.has(song) && !before.includes(song)))
    throw new HttpError(404, 'A mix has only your own bangers.')
  const hidden = before.filter((song) => !bangers.has(song))
  return [...new Set([...songIds, ...hidden])].slice(0, MAX_MIX_SONGS)
}

/** Those of the songs that are bangers of the listener. */
async function readBangers(db: Queryable, owner: string, songIds: string[]): Promise<Set<string>> {
  const rows = await db<{ songId: string }[]>`
    select song_id from ratings
    where user_id = ${owner} and song_id = any(${songIds}::bigint[]) and banger and rated_at > '-infinity'`
  return new Set(rows.map(({ songId }) => songId))
}
