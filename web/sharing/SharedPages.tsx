import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { achievementPage, collectionPage, type SharedPage } from '../../contract/sharedPage.ts'
import {
  getSharedAchievement,
  getSharedCollection,
  notFoundTexts,
  SHARE_NAMES,
  type ShareKind,
} from '../../contract/sharing.ts'
import { ApiError } from '../api/ApiError.ts'
import { QueryProvider } from '../api/QueryProvider.tsx'
import { type QueryKey, query } from '../api/query.ts'
import { wasSignedIn } from '../auth/currentUser.ts'
import { useFocusFallback } from '../ui/keyboard/useFocusFallback.ts'
import { DeadEnd } from '../ui/page/DeadEnd.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { Page } from '../ui/page/Page.tsx'
import { SharedContent } from './SharedContent.tsx'

const ReportButton = lazyComponent(async () => (await import('../reports/ReportButton.tsx')).ReportButton)

interface PageProps {
  shareToken: string | undefined
}

/** A shared achievement; public. */
export function SharedAchievementPage({ shareToken = '' }: PageProps) {
  return (
    <QueryProvider>
      <SharedFrame
        kind="achievement"
        shareToken={shareToken}
        query={query(getSharedAchievement, { params: { shareToken } })}
        toPage={achievementPage}
      />
    </QueryProvider>
  )
}

/** A shared collection; public. */
export function SharedCollectionPage({ shareToken = '' }: PageProps) {
  return (
    <QueryProvider>
      <SharedFrame
        kind="collection"
        shareToken={shareToken}
        query={query(getSharedCollection, { params: { shareToken } })}
        toPage={collectionPage}
      >
        {/* Only listeners report (desk-8). */}
        {wasSignedIn() && (
          <div className="pb-16">
            <Suspense>
              <ReportButton subjects={[{ subject: 'collection', subjectId: shareToken }]}>
                Report this collection
              </ReportButton>
            </Suspense>
          </div>
        )}
      </SharedFrame>
    </QueryProvider>
  )
}

interface SharedFrameProps<Item> {
  kind: ShareKind
  /** Empty when the URL has none: then nothing is requested (sharing-11). */
  shareToken: string
  /** Requested once per page, because each request of a collection counts as a view (sharing-13). */
  query: UseQueryOptions<Item, Error, Item, QueryKey>
  toPage: (item: Item) => SharedPage
  /** Of a mix. */
  renderSongs?: (item: Item) => ReactNode
  /** Below the content. */
  children?: ReactNode
}

/** Layout of the shared pages, with their loading and error states. */
export function SharedFrame<Item>({
  kind,
  shareToken,
  query,
  toPage,
  renderSongs,
  children,
}: SharedFrameProps<Item>) {
  const { data, error, refetch } = useQuery({ ...query, enabled: shareToken !== '' })
  useFocusFallback()
  const isMissing = shareToken === '' || (error instanceof ApiError && error.status === 404)
  if (isMissing) return <DeadEnd {...notFoundTexts(SHARE_NAMES[kind])} />
  return (
    <Page className="">
      {data ? (
        <>
          <SharedContent page={toPage(data)}>{renderSongs?.(data)}</SharedContent>
          {children}
        </>
      ) : error ? (
        <LoadFailure isMain onRetry={refetch}>
          This page did not load.
        </LoadFailure>
      ) : (
        <p role="status" className="text-base text-ink-2">
          Loading {SHARE_NAMES[kind].toLowerCase()}...
        </p>
      )}
    </Page>
  )
}
