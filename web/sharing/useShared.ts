import { useEffect, useState } from 'react'
import type { Endpoint, Response } from '../../contract/endpoint.ts'
import { ApiError } from '../api/ApiError.ts'
import { fillPath } from '../api/address.ts'
import { call } from '../api/call.ts'
import { findEmbedded } from '../api/embeddedResponse.ts'

export type Shared<T> =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed'; retry: () => void }
  | { state: 'shown'; value: T }

type ByToken = Endpoint & { path: `${string}:shareToken` }

/**
 * A shared item: from the page's HTML, else requested, once per page, because each request of a collection counts as
 * a view (sharing-13). `countView` counts the view of an item from the HTML. Without a token there is no request
 * (sharing-11). `endpoint` and `countView` must be stable between renders.
 */
export function useShared<E extends ByToken>(
  endpoint: E,
  shareToken: string | undefined,
  countView?: (brought: Response<E>, shareToken: string) => Promise<Response<E>>,
): Shared<Response<E>> {
  const [shared, setShared] = useState<Shared<Response<E>>>(() => begin(endpoint, shareToken))
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry requests again
  useEffect(() => {
    if (!shareToken) return
    const params = { shareToken }
    const abort = new AbortController()
    setShared(begin(endpoint, shareToken))
    // Strict mode runs effects twice in development; the first run is cancelled by the next tick.
    queueMicrotask(async () => {
      if (abort.signal.aborted) return
      const brought = readBrought(endpoint, shareToken)
      // A page that opens again requests it again, because the HTML is outdated by then.
      findEmbedded(fillPath(endpoint, params))?.remove()
      try {
        const value = brought
          ? await countView?.(brought, shareToken)
          : await call(endpoint as Endpoint, { params } as object, { signal: abort.signal })
        if (value && !abort.signal.aborted) setShared({ state: 'shown', value: value as Response<E> })
      } catch (error) {
        if (abort.signal.aborted) return
        const isMissing = error instanceof ApiError && error.status === 404
        if (isMissing) setShared({ state: 'missing' })
        else if (!brought) setShared({ state: 'failed', retry: () => setAttempt((n) => n + 1) })
      }
    })
    return () => abort.abort()
  }, [endpoint, countView, shareToken, attempt])

  return shareToken ? shared : { state: 'missing' }
}

function begin<E extends ByToken>(endpoint: E, shareToken: string | undefined): Shared<Response<E>> {
  const value = shareToken ? readBrought(endpoint, shareToken) : undefined
  return value === undefined ? { state: 'loading' } : { state: 'shown', value }
}

/** The answer that the page's HTML brought. */
function readBrought<E extends ByToken>(endpoint: E, shareToken: string): Response<E> | undefined {
  const text = findEmbedded(fillPath(endpoint, { shareToken }))?.textContent
  return text ? (JSON.parse(text) as Response<E>) : undefined
}
