import { type Query, QueryClient } from '@tanstack/react-query'
import type { Endpoint, ResponseOf } from '../../contract/endpoint.ts'
import { ApiError } from './ApiError.ts'
import { call, type Input, type InputArgument } from './call.ts'
import { fillPath } from './paths.ts'

/** `[path, query]`: the path alone is the prefix that invalidates every variant of a call (calls-2). */
export type QueryKey = readonly [path: string, query?: Record<string, unknown>]

interface QueryOptions<Answer> {
  queryKey: QueryKey
  queryFn: (context: { signal: AbortSignal }) => Promise<Answer>
}

/** Options of `useQuery` for one call: `useQuery(query(getMyStats))`. */
export function query<const E extends Endpoint>(
  endpoint: E,
  ...input: InputArgument<E>
): QueryOptions<ResponseOf<E>>
/** With `on401: 'null'`, a 401 is the answer null and not a failure (calls-2). */
export function query<const E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: { on401: 'null' },
): QueryOptions<ResponseOf<E> | null>
export function query<const E extends Endpoint>(
  endpoint: E,
  input?: Input<E>,
  options?: { on401: 'null' },
): QueryOptions<ResponseOf<E> | null> {
  const { params, query: searchParams } = (input ?? {}) as {
    params?: Record<string, string>
    query?: Record<string, unknown>
  }
  const path = fillPath(endpoint, params)
  return {
    queryKey: searchParams === undefined ? [path] : [path, searchParams],
    async queryFn({ signal }) {
      const callEndpoint = call as (e: E, i: unknown, o: { signal: AbortSignal }) => Promise<ResponseOf<E>>
      try {
        return await callEndpoint(endpoint, input, { signal })
      } catch (error) {
        if (options?.on401 === 'null' && error instanceof ApiError && error.status === 401) return null
        throw error
      }
    },
  }
}

/** Milliseconds after a failure in which only 'Try again' asks again (calls-9). */
const RETRY_PAUSE = 10_000

/**
 * A component that mounts because a call failed must not repeat that call at once, which could loop. Until the pause
 * or the server's Retry-After is over, it shows the known failure.
 */
export function shouldRetryOnMount({
  state: { error, errorUpdatedAt },
}: {
  state: Pick<Query['state'], 'error' | 'errorUpdatedAt'>
}): boolean {
  const pause = Math.max(RETRY_PAUSE, error instanceof ApiError ? error.retryAfter : 0)
  const elapsed = Date.now() - errorUpdatedAt
  // The clock may have been set back.
  return elapsed >= pause || elapsed < 0
}

/**
 * Data is never stale by itself, never refetched on focus, never polled and never retried (calls-3). networkMode
 * keeps TanStack from pausing a rating offline and sending it later (discover-13).
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        retryOnMount: shouldRetryOnMount,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
