import { useEffect, useState } from 'react'
import { ApiError } from '../api/ApiError.ts'

export type Shared<T> =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed'; retry: () => void }
  | { state: 'shown'; value: T }

/**
 * Fetches what a token shares, once per page: each fetch of a collection counts as a view (sharing-13). Without a
 * token there is no request (sharing-11). `read` must be stable between renders.
 */
export function useShared<T>(
  read: (shareToken: string, signal: AbortSignal) => Promise<T>,
  shareToken: string | undefined,
): Shared<T> {
  const [shared, setShared] = useState<Shared<T>>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (!shareToken) return
    const abort = new AbortController()
    setShared({ state: 'loading' })
    // Strict mode runs effects twice in development; the first run is cancelled by the next tick.
    queueMicrotask(async () => {
      if (abort.signal.aborted) return
      try {
        const value = await read(shareToken, abort.signal)
        if (!abort.signal.aborted) setShared({ state: 'shown', value })
      } catch (error) {
        if (abort.signal.aborted) return
        const isMissing = error instanceof ApiError && error.status === 404
        setShared(
          isMissing ? { state: 'missing' } : { state: 'failed', retry: () => setAttempt((n) => n + 1) },
        )
      }
    })
    return () => abort.abort()
  }, [read, shareToken, attempt])

  return shareToken ? shared : { state: 'missing' }
}
