import { useState } from 'react'
import { BackButton } from '../ui/BackButton.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { closeDetail, openDialog, usePlace } from '../ui/place.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { CollectionPage } from './CollectionPage.tsx'
import { CollectionRow } from './CollectionRow.tsx'
import { useOwnCollections } from './ownCollections.ts'

interface CollectionsDialogProps {
  /** Whether the listener has bangers, of which a new collection is made. */
  canCreate: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The listener's own collections. Choosing one shows it in place of the list. */
export function CollectionsDialog({ canCreate, open, onOpenChange }: CollectionsDialogProps) {
  const { collection } = usePlace()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={collection === null ? 'Your Collections' : 'Edit Collection'}
      width="36rem"
      tall
    >
      <Collections wanted={collection} canCreate={canCreate} />
    </Dialog>
  )
}

function Collections({ wanted, canCreate }: { wanted: string | null; canCreate: boolean }) {
  const { data: collections, isError, refetch } = useOwnCollections()
  /** Which was shown last, here or before Back. */
  const [last, setLast] = useState(wanted)
  if (wanted !== null && wanted !== last) setLast(wanted)
  if (!collections) {
    return isError ? (
      <LoadFailure onRetry={refetch}>
        Your collections did not load. Check your connection and try again.
      </LoadFailure>
    ) : (
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-ink-2">
        <Spinner /> Loading your collections...
      </p>
    )
  }
  if (wanted !== null) {
    const collection = collections.find(({ id }) => id === wanted)
    return (
      <>
        <BackButton onBack={() => closeDetail('collection')}>All collections</BackButton>
        {collection ? (
          <CollectionPage key={wanted} collection={collection} />
        ) : (
          <p className="text-base text-ink-2">You have no such collection.</p>
        )}
      </>
    )
  }
  return (
    <>
      {collections.length > 0 ? (
        <ul className="border-t border-line">
          {collections.map((collection) => (
            <CollectionRow key={collection.id} collection={collection} takesFocus={collection.id === last} />
          ))}
        </ul>
      ) : (
        <p className="text-base text-ink-2">
          You have no collections yet. A collection shares your top microgenres by a link.
        </p>
      )}
      {canCreate ? (
        <Button className="justify-self-start" onClick={() => openDialog('share-collection')}>
          New collection
        </Button>
      ) : (
        collections.length === 0 && <p className="text-ink-2">Find a banger first.</p>
      )}
    </>
  )
}
