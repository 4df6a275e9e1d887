import type { Database, Fragment, Queryable } from '../db/connection.ts'
import { createProviderCache } from '../integrations/providerCache.ts'
import { ASK_AGAIN_SECONDS } from './askServices.ts'

/** Pages of rows by id, until there are none or `signal` aborts. */
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

const PAGES_PER_ANALYZE = 10

/**
 * The same for a long run, with fresh statistics. PostgreSQL analyzes by itself at most once a minute, and never a
 * dry run's copies; until then plans assume an empty table and scan all of it per song.
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

export const readCount = async (query: PromiseLike<{ songs: number }[]>) => (await query)[0]?.songs ?? 0

/** Whether a service was recently asked about `songs s` in its current state. `facts` is what the answer depends on. */
export const wasAsked = (db: Queryable, provider: string, facts: Fragment) => db`
  exists (select from provider_cache c
          where c.provider = ${provider} and c.key = s.id::text and c.expires_at > now()
            and c.value->>'facts' = ${facts})`

/** Stores for a while that a service was asked about songs in their current state, and its answer. */
export async function markAsked(
  db: Database,
  provider: string,
  songs: { id: string; facts: string }[],
  answer: object = {},
): Promise<void> {
  const asked = new Map(songs.map(({ id, facts }) => [id, { facts, ...answer }]))
  await createProviderCache(db, provider).write(asked, ASK_AGAIN_SECONDS)
}
