import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { shouldRetryOnMount } from './query.ts'

/** The query cache of the pages inside. Signing out unmounts it, so the next listener starts with an empty one. */
export function QueryProvider({ children }: { children: ReactNode }) {
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
        retryOnMount: shouldRetryOnMount,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
