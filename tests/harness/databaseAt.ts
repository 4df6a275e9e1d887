import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'

/** Uses a database through one connection, as a program does. */
export async function withConnection<T>(
  target: ConnectionTarget,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  // Copying a template, and what tests write at once, takes longer than the server's statement timeout.
  const db = connect(target, { max: 1, settings: { statement_timeout: '60000' } })
  try {
    return await use(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Another database of the same PostgreSQL. */
export function databaseAt(server: ConnectionTarget, database: string): ConnectionTarget {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements that need neither a transaction nor our database: create and drop database. */
export const maintenance = <T>(server: ConnectionTarget, use: (db: Database) => Promise<T>): Promise<T> =>
  withConnection(databaseAt(server, 'postgres'), use)
