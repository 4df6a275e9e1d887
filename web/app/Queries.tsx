import { type Query, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/ApiError.ts'

/** The query cache of the pages inside. Signing out unmounts it, so the next listener starts with an empty one. */
export function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/**
 * Data is never stale by itself, never refetched on focus, never polled and never retried (calls-3). networkMode
 * keeps TanStack from pausing a rating offline and sending it later (discover-13).
 */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        retryOnMount: mayAskAgain,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Milliseconds after a failure in which only 'Try again' asks again. */
const PAUSE = 10_000

/**
 * A component that mounts because a call failed must not repeat that call at once, which could loop. Until the pause
 * or the server's Retry-After is over, it shows the known failure.
 */
function mayAskAgain({ state: { error, errorUpdatedAt } }: Pick<Query, 'state'>): boolean {
  const pause = Math.max(PAUSE, error instanceof ApiError ? error.retryAfter : 0)
  return Date.now() >= errorUpdatedAt + pause
}
