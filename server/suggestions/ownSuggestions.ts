import { MAX_OWN_SUGGESTIONS, type OwnSuggestion } from '../../contract/suggestions.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { readCatalogueSongs } from './catalogueSongs.ts'

type Row = Omit<OwnSuggestion, 'song' | 'createdAt' | 'decidedAt'> & {
  songId: string | null
  isWithdrawn: boolean
  createdAt: Date
  decidedAt: Date | null
}

/** The listener's suggestions, newest first (desk-7); with `id` only that one. */
export async function listOwnSuggestions(
  db: Queryable,
  env: Env,
  listener: string,
  id: string | null = null,
): Promise<OwnSuggestion[]> {
  const rows = await db<Row[]>`
    select g.id, g.title, g.artist, g.year, g.microgenre_id, m.name as microgenre, g.address, g.state, g.reason,
      coalesce((select count(*) from suggestion_votes o
        where o.suggestion_id = g.id and o.withdrawn_at is null), 0)::int as votes,
      g.song_id, v.withdrawn_at is not null as is_withdrawn, v.created_at, g.decided_at
    from suggestion_votes v
    join suggestions g on g.id = v.suggestion_id
    join microgenres m on m.id = g.microgenre_id
    where v.user_id = ${listener} and g.id = coalesce(${id}::bigint, g.id)
    order by v.created_at desc, g.id desc limit ${MAX_OWN_SUGGESTIONS}`
  const songs = await readCatalogueSongs(
    db,
    env,
    rows.flatMap(({ songId }) => songId ?? []),
  )
  return rows.map(({ songId, isWithdrawn, createdAt, decidedAt, ...row }) => ({
    ...row,
    ...(isWithdrawn ? { state: 'withdrawn' as const, reason: null } : {}),
    song: (songId && !isWithdrawn && songs.get(songId)) || null,
    createdAt: createdAt.toISOString(),
    decidedAt: isWithdrawn ? null : (decidedAt?.toISOString() ?? null),
  }))
}
