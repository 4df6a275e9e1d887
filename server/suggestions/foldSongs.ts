import type { Queryable } from '../db/connection.ts'
import { FOLD_BATCH, foldSearchText } from '../db/searchTexts.ts'
import { titleKey } from './songKey.ts'

/**
 * Folds the titles and artists that have changed (desk-4, desk-5). Each search calls it first, so writers need not.
 * Returns the last id of a full batch, else null.
 */
export async function foldSongs(db: Queryable, after = '0'): Promise<string | null> {
  const rows = await db<{ id: string; title: string; artist: string; hash: string }[]>`
    select id, title, artist, hashtextextended(title || chr(31) || artist, 0) as hash from songs
    where folded_from is distinct from hashtextextended(title || chr(31) || artist, 0) and id + 0 > ${after}::bigint
    order by id + 0 limit ${FOLD_BATCH}`
  if (rows.length > 0)
    await db`
      with v as materialized (
        select * from unnest(${rows.map(({ id }) => id)}::bigint[],
          ${rows.map(({ title, artist }) => foldSearchText(`${title} ${artist}`))}::text[],
          ${rows.map(({ title }) => titleKey(title))}::text[],
          ${rows.map(({ hash }) => hash)}::bigint[]) as v (id, folded, title_key, hash)
      ), changed as (
        update songs s set folded = v.folded, title_key = v.title_key, folded_from = v.hash from v where s.id = v.id
        returning s.id
      )
      select from changed`
  return rows.length === FOLD_BATCH ? (rows.at(-1)?.id ?? null) : null
}

export async function foldAllSongs(db: Queryable): Promise<void> {
  for (let after: string | null = '0'; after !== null; ) after = await foldSongs(db, after)
}
