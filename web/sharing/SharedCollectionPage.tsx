import { collectionPage } from '../../contract/sharedPage.ts'
import { getSharedCollection, NOT_FOUND_TEXTS } from '../../contract/sharing.ts'
import { wasSignedIn } from '../auth/currentUser.ts'
import { LazyReportButton } from '../reports/LazyReportButton.tsx'
import { DeadEnd } from '../ui/DeadEnd.tsx'
import { SharedContent } from './SharedContent.tsx'
import { SharedFrame } from './SharedFrame.tsx'
import { useSharedItem } from './useSharedItem.ts'

/** A shared collection; public. */
export function SharedCollectionPage({ shareToken }: { shareToken: string | undefined }) {
  const sharedItem = useSharedItem(getSharedCollection, shareToken)
  return (
    <SharedFrame
      sharedItem={sharedItem}
      loading="Loading collection..."
      missing={<DeadEnd {...NOT_FOUND_TEXTS.collection} />}
    >
      {(collection) => (
        <>
          <SharedContent {...collectionPage(collection)} />
          {/* Only listeners report (desk-8). */}
          {shareToken && wasSignedIn() && (
            <div className="pb-16">
              <LazyReportButton subjects={[{ subject: 'collection', subjectId: shareToken }]}>
                Report this collection
              </LazyReportButton>
            </div>
          )}
        </>
      )}
    </SharedFrame>
  )
}
