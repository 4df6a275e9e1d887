import { foldText } from '../../contract/foldText.ts'
import type { Fragment, Queryable } from './connection.ts'

/* Searches compare folded texts instead of names and titles. */

/** Rows per statement. Changes of an account wait for it, a quarter of a second at most. */
export const FOLD_BATCH = 250

/** Folded, and without spaces and punctuation. */
export const foldSearchText = (text: string): string => foldText(text).replace(/[\s\p{P}`+]/gu, '')

/** The pattern of LIKE for texts that contain `part`. */
export const containsPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Whether a text may contain all of `parts`, an array. It has false positives, so compare the texts, too. An index on the
 * same trigrams supports it for any script, without an extension of PostgreSQL.
 */
export const mayContain = (db: Queryable, text: Fragment, parts: Fragment) => db`
  ${trigramsOf(db, text)} @@ (
    select string_agg(distinct
      '''' || replace(replace(substr(part, place, 3), '\\', '\\\\'), '''', '''''') || ''''
        || case when char_length(part) < 3 then ':*' else '' end, ' & ')
    from unnest(${parts}) part, generate_series(1, greatest(char_length(part) - 2, 1)) place
    where part <> '')::tsquery`

/**
 * The trigrams of a text, its last two characters and its last one, so that each shorter part of the text is a prefix of one
 * of them. The text is cut into threes from its first, second and third character on.
 */
const trigramsOf = (db: Queryable, text: Fragment) => db`
  array_to_tsvector(array_remove(
    string_to_array(regexp_replace(${text}, '...', '\\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(${text}, 2), '...', '\\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(${text}, 3), '...', '\\&' || chr(31), 'g'), chr(31)), ''))`
