import type { Database } from '../db/connection.ts'

/** Pages of songs between two refreshes. */
const EVERY = 10

/**
 * Call the returned function before each page of a long run. PostgreSQL collects statistics by itself at most once a
 * minute, and never of a dry run's copy. Until then its plans expect an empty table, and read all of it for each song.
 */
export function createRefresh(db: Database): () => Promise<void> {
  let pages = 0
  return async () => {
    if (pages++ % EVERY === 0) await db`analyze songs, provider_cache`
  }
}
