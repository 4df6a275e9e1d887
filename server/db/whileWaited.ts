import type postgres from 'postgres'
import { STATEMENT_TIMEOUT } from './connection.ts'

/**
 * Awaits a statement that changes something, for as long as its caller waits. One that by then has not been sent,
 * because no connection is to be had, never will be: a listener who was told to try again did, and the late one must
 * not come after that. One that was sent PostgreSQL ends itself.
 */
export async function whileWaited<T extends readonly postgres.MaybeRow[]>(
  query: postgres.PendingQuery<T>,
): Promise<postgres.RowList<T>> {
  const timer = setTimeout(() => {
    // In truth it gives a promise, which fails where the database cannot be reached.
    Promise.resolve(query.cancel()).catch(() => {})
  }, STATEMENT_TIMEOUT)
  try {
    return await query
  } finally {
    clearTimeout(timer)
  }
}
