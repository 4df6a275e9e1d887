import type { Queryable } from '../queryable.ts'

/** Whether the database is that of a cluster with Citus. */
export async function hasCitus(db: Queryable): Promise<boolean> {
  const rows = await db`select from pg_extension where extname = 'citus'`
  return rows.length > 0
}
