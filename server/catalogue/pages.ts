import type { Database, Fragment, Queryable } from '../db/connection.ts'
import { createProviderCache } from '../integrations/providerCache.ts'
import { ASK_AGAIN_SECONDS } from './askServices.ts'

/** Rows in the order of their ids, a page at a time, until there are none or `signal` aborts. */
export async function* readPages<Row extends { id: string }>(
  read: (after: string) => PromiseLike<Row[]>,
  signal?: AbortSignal,
): AsyncGenerator<Row[]> {
  for (let after = '0'; !signal?.aborted; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

/** Pages between two refreshes. */
const PAGES_PER_ANALYZE = 10

/**
 * The same for a long run, with fresh statistics. PostgreSQL collects statistics by itself at most once a minute, and
 * never of a dry run's copy. Until then its plans expect an empty table, and read all of it for each song.
 */
export function readAnalyzedPages<Row extends { id: string }>(
  db: Database,
  read: (after: string) => PromiseLike<Row[]>,
  signal?: AbortSignal,
): AsyncGenerator<Row[]> {
  let pages = 0
  const readFresh = async (after: string) => {
    if (pages++ % PAGES_PER_ANALYZE === 0) await db`analyze songs, provider_cache`
    return read(after)
  }
  return readPages(readFresh, signal)
}

/** The number that a query of one row gives. */
export const readCount = async (query: PromiseLike<{ songs: number }[]>) => (await query)[0]?.songs ?? 0

/** Whether a service was asked lately about a song of `songs s` as it is now. `facts` is what the answer depends on. */
export const wasAsked = (db: Queryable, provider: string, facts: Fragment) => db`
  exists (select from provider_cache c
          where c.provider = ${provider} and c.key = s.id::text and c.expires_at > now()
            and c.value->>'facts' = ${facts})`

/** Remembers for a while that a service was asked about songs as they are now, and what it answered. */
export async function markAsked(
  db: Database,
  provider: string,
  songs: { id: string; facts: string }[],
  answer: object = {},
): Promise<void> {
  const asked = new Map(songs.map(({ id, facts }) => [id, { facts, ...answer }]))
  await createProviderCache(db, provider).write(asked, ASK_AGAIN_SECONDS)
}
