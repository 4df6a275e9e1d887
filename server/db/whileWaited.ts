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
    if (!wasSent(query)) query.cancel()
  }, STATEMENT_TIMEOUT)
  try {
    return await query
  } finally {
    clearTimeout(timer)
  }
}

/**
 * postgres.js has the connection there that a statement was sent on. To cancel such a one it opens another
 * connection, and where that fails, as it does to a database that hangs, nobody can catch it: the process would end.
 */
const wasSent = (query: object) => 'state' in query && query.state !== null
