import type { Fragment, Queryable } from './connection.ts'

/* What searches compare instead of names and titles. `server/db/tables` has the same expressions for the columns. */

/** Letters with the common accents; each becomes the letter at its place in PLAIN. The signs after them are removed. */
export const SPELLED = `àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ \t'’‘\`´"“”.,;:!?()[]{}/\\&+-–—_*#…%`
export const PLAIN = 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy'

/** In lower case, without spaces, punctuation and the common accents: the spelling of `songs.search_text`. */
export const folded = (db: Queryable, text: Fragment) => db`translate(lower(${text}), ${SPELLED}, ${PLAIN})`

/**
 * Equal for all titles with the same `songKey`, and for few others: the spelling of `songs.plain_title`, by which an
 * index finds them.
 */
export const plainTitle = (db: Queryable, title: Fragment) => db`
  replace(replace(${folded(
    db,
    db`split_part(split_part(split_part(split_part(lower(${title}), ' - ', 1), ' (', 1), ' feat', 1), ' ft', 1)`,
  )}, 'and', ''), 'the', '')`

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
