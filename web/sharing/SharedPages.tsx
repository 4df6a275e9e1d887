import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Endpoint, Response } from '../../contract/endpoint.ts'
import { achievementPage, collectionPage, type SharedPage } from '../../contract/sharedPage.ts'
import { getSharedAchievement, getSharedCollection, NOT_FOUND_TEXTS } from '../../contract/sharing.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { wasSignedIn } from '../auth/currentUser.ts'
import { DeadEnd } from '../ui/page/DeadEnd.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { Main, SkipLink } from '../ui/page/Main.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { SharedContent } from './SharedContent.tsx'

const ReportButton = lazyComponent(async () => (await import('../reports/ReportButton.tsx')).ReportButton)

interface PageProps {
  shareToken: string | undefined
}

/** A shared achievement; public. */
export function SharedAchievementPage({ shareToken }: PageProps) {
  return (
    <SharedFrame
      endpoint={getSharedAchievement}
      shareToken={shareToken}
      loadingText="Loading achievement..."
      notFoundTexts={NOT_FOUND_TEXTS.achievement}
      toPage={achievementPage}
    />
  )
}

/** A shared collection; public. */
export function SharedCollectionPage({ shareToken }: PageProps) {
  return (
    <SharedFrame
      endpoint={getSharedCollection}
      shareToken={shareToken}
      loadingText="Loading collection..."
      notFoundTexts={NOT_FOUND_TEXTS.collection}
      toPage={collectionPage}
    >
      {/* Only listeners report (desk-8). */}
      {shareToken && wasSignedIn() && (
        <div className="pb-16">
          <Suspense>
            <ReportButton subjects={[{ subject: 'collection', subjectId: shareToken }]}>
              Report this collection
            </ReportButton>
          </Suspense>
        </div>
      )}
    </SharedFrame>
  )
}

type ShareTokenEndpoint = Endpoint & { path: `${string}:shareToken` }

interface SharedFrameProps<E extends ShareTokenEndpoint> extends PageProps {
  endpoint: E
  loadingText: string
  notFoundTexts: (typeof NOT_FOUND_TEXTS)[keyof typeof NOT_FOUND_TEXTS]
  toPage: (item: Response<E>) => SharedPage
  /** Below the content. */
  children?: ReactNode
}

/** Layout of the shared pages, with their loading and error states. */
function SharedFrame<E extends ShareTokenEndpoint>({
  endpoint,
  shareToken,
  loadingText,
  notFoundTexts,
  toPage,
  children,
}: SharedFrameProps<E>) {
  const sharedItem = useSharedItem(endpoint, shareToken)
  if (sharedItem.state === 'missing') return <DeadEnd {...notFoundTexts} />
  return (
    <>
      <SkipLink />
      <header className="flex h-(--size-header-phone) items-center px-4 wide:h-(--size-header) wide:px-6">
        <Link href="/" className="flex min-h-(--size-touch) items-center">
          <Wordmark />
        </Link>
      </header>
      <Main className="mx-auto max-w-6xl px-4 wide:px-6">
        {sharedItem.state === 'loading' && (
          <p role="status" className="pt-8 text-base text-ink-2">
            {loadingText}
          </p>
        )}
        {sharedItem.state === 'failed' && (
          <div className="pt-8">
            <LoadFailure onRetry={sharedItem.retry}>
              This page did not load. Check your connection and try again.
            </LoadFailure>
          </div>
        )}
        {sharedItem.state === 'shown' && (
          <>
            <SharedContent {...toPage(sharedItem.value)} />
            {children}
          </>
        )}
      </Main>
    </>
  )
}

type SharedItem<T> =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed'; retry: () => void }
  | { state: 'shown'; value: T }

/**
 * A shared item, requested once per page, because each request of a collection counts as a view (sharing-13). Without a
 * token there is no request (sharing-11). `endpoint` must be stable between renders.
 */
function useSharedItem<E extends ShareTokenEndpoint>(
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
