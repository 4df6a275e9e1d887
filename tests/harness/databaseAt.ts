import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'

/** Another database of the same PostgreSQL. */
export function databaseAt(server: ConnectionTarget, database: string): ConnectionTarget {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements that need neither a transaction nor our database: create and drop database. */
export async function maintenance<T>(
  server: ConnectionTarget,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const db = connect(databaseAt(server, 'postgres'), { max: 1 })
  try {
    // Copying a template takes longer than the server's statement timeout.
    await db`set statement_timeout = '60s'`
    return await use(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}
