import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

/**
 * The cache of what the server said, for the pages inside. It goes with them: who signs out leaves nothing
 * behind for who signs in next. `begin` may put into it what was asked for before.
 */
export function Queries({ begin, children }: { begin?: (client: QueryClient) => void; children: ReactNode }) {
  const [client] = useState(() => {
    const created = createQueryClient()
    begin?.(created)
    return created
  })
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/**
 * Data is never stale by itself, never asked for again on focus, never polled, never retried (spec §7). The
 * network mode keeps TanStack from holding a rating back while offline and sending it later (D-38).
 */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
