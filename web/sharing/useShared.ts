import { useEffect, useState } from 'react'
import { ApiError } from '../api/ApiError.ts'

export type Shared<T> =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed'; retry: () => void }
  | { state: 'shown'; value: T }

/**
 * Reads what a token shares, once a page: each reading of a collection is a view (D-79). Without a token nothing
 * is asked (VALIDATION-08). `read` must be the same function from render to render.
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
    // Strict mode runs effects twice in development; by the next tick the first run is known to be void.
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
