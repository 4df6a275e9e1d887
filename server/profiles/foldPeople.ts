import { foldText } from '../../contract/foldText.ts'
import type { Queryable } from '../db/connection.ts'
import { FOLD_BATCH } from '../db/searchTexts.ts'

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
