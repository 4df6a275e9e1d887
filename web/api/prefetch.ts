import type { FetchQueryOptions, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError } from './ApiError.ts'

/** Loads a query before a component does, unless it has just failed: prefetchQuery would request it at every visit. */
export function prefetch<Data, Key extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  const cachedQuery = client.getQueryCache().find({ queryKey: options.queryKey, exact: true })
  if (cachedQuery?.state.status !== 'error' || shouldRetryOnMount(cachedQuery))
    void client.prefetchQuery(options)
}

/** Milliseconds after a failure in which only 'Try again' asks again (calls-9). */
const RETRY_PAUSE = 10_000

/**
 * A component that mounts because a call failed must not repeat that call at once, which could loop. Until the pause
 * or the server's Retry-After is over, it shows the known failure.
 */
export function shouldRetryOnMount({ state: { error, errorUpdatedAt } }: Pick<Query, 'state'>): boolean {
  const pause = Math.max(RETRY_PAUSE, error instanceof ApiError ? error.retryAfter : 0)
  const elapsed = Date.now() - errorUpdatedAt
  // The clock may have been set back.
  return elapsed >= pause || elapsed < 0
}
