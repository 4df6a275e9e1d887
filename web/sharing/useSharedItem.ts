import { useEffect, useState } from 'react'
import type { Endpoint, Response } from '../../contract/endpoint.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'

export type SharedItem<T> =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed'; retry: () => void }
  | { state: 'shown'; value: T }

type ShareTokenEndpoint = Endpoint & { path: `${string}:shareToken` }

/**
 * A shared item, requested once per page, because each request of a collection counts as a view (sharing-13). Without a
 * token there is no request (sharing-11). `endpoint` must be stable between renders.
 */
export function useSharedItem<E extends ShareTokenEndpoint>(
  endpoint: E,
  shareToken: string | undefined,
): SharedItem<Response<E>> {
  const [sharedItem, setSharedItem] = useState<SharedItem<Response<E>>>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry requests again
  useEffect(() => {
    if (!shareToken) return
    const params = { shareToken }
    const abort = new AbortController()
    setSharedItem({ state: 'loading' })
    // Strict mode runs effects twice in development; the first run is cancelled by the next tick.
    queueMicrotask(async () => {
      if (abort.signal.aborted) return
      try {
        const value = await call(endpoint as Endpoint, { params } as object, { signal: abort.signal })
        if (!abort.signal.aborted) setSharedItem({ state: 'shown', value: value as Response<E> })
      } catch (error) {
        if (abort.signal.aborted) return
        const isMissing = error instanceof ApiError && error.status === 404
        if (isMissing) setSharedItem({ state: 'missing' })
        else setSharedItem({ state: 'failed', retry: () => setAttempt((n) => n + 1) })
      }
    })
    return () => abort.abort()
  }, [endpoint, shareToken, attempt])

  return shareToken ? sharedItem : { state: 'missing' }
}
