import { foldText } from '../../contract/foldText.ts'
import type { Fragment, Queryable } from './connection.ts'

/* What searches compare instead of names and titles. */

/** Rows that are folded by one statement: an account waits for it, for a quarter of a second at most. */
export const FOLD_BATCH = 250

/** Folded, and without spaces and punctuation. */
export const foldSearchText = (text: string): string => foldText(text).replace(/[\s\p{P}`+]/gu, '')

/** The pattern of LIKE for texts that contain `part`. */
export const containsPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Whether a text contains all of `parts`, an array: false only when it does not, so compare the texts too. An index on
 * the same trigrams answers it for texts in any script, without an extension of PostgreSQL.
 */
export const mayContain = (db: Queryable, text: Fragment, parts: Fragment) => db`
  ${trigramsOf(db, text)} @@ (
    select string_agg(distinct
      '''' || replace(replace(substr(part, place, 3), '\\', '\\\\'), '''', '''''') || ''''
        || case when char_length(part) < 3 then ':*' else '' end, ' & ')
    from unnest(${parts}) part, generate_series(1, greatest(char_length(part) - 2, 1)) place
    where part <> '')::tsquery`

/**
 * Every three characters in a row, and the last two and the last one: so each shorter part of the text is the beginning
 * of one of them. The text is cut into threes from its first, second and third character on.
 */
const trigramsOf = (db: Queryable, text: Fragment) => db`
  array_to_tsvector(array_remove(
    string_to_array(regexp_replace(${text}, '...', '\\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(${text}, 2), '...', '\\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(${text}, 3), '...', '\\&' || chr(31), 'g'), chr(31)), ''))`
