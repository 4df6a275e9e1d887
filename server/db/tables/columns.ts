import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A bigint key. It is a string in the program and on the wire, where ids are opaque (calls-7). */
export const id = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' })

/** Raw bytes, for hashes of tokens. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const createdAt = () => instant('created_at').notNull().defaultNow()
