import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A bigint key. It is a string in the program and on the wire, where ids are opaque (calls-7). */
export const id = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' })

/** Raw bytes, for hashes of tokens. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const createdAt = () => instant('created_at').notNull().defaultNow()

/** The trigrams of a text in a search index. Must match those of `mayContain` in `searchTexts.ts`. */
export const trigramsOf = (text: SQLWrapper): SQL =>
  sql`array_to_tsvector(array_remove(
    string_to_array(regexp_replace(${text}, '...', '\\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(${text}, 2), '...', '\\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(${text}, 3), '...', '\\&' || chr(31), 'g'), chr(31)), ''))`
