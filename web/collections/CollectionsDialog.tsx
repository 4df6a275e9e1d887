import { useState } from 'react'
import type { OwnCollection } from '../../contract/collections.ts'
import { BackButton } from '../ui/BackButton.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, type OpenState } from '../ui/Dialog.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { closeDetail, openDialog, usePlace } from '../ui/place.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { useFocusOnMount } from '../ui/useFocusOnMount.ts'
import { CollectionEditor } from './CollectionEditor.tsx'
import { CollectionLink } from './CollectionLink.tsx'
import { CollectionCovers, CollectionPreview, genreNames } from './CollectionPreview.tsx'
import { DeleteCollection } from './DeleteCollection.tsx'
import { describeCollection, genresOf, useOwnCollections } from './ownCollections.ts'

interface CollectionsDialogProps extends OpenState {
  /** Whether the listener has bangers, of which a new collection is made. */
  canCreate: boolean
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

/** One collection in the list; pressing the row shows it. */
function CollectionRow({ collection, takesFocus }: { collection: OwnCollection; takesFocus: boolean }) {
  const row = useFocusOnMount<HTMLButtonElement>(takesFocus)
  const genres = genresOf(collection)
  return (
    <li className="border-b border-line">
      <button
        ref={row}
        type="button"
        onClick={() => openDialog('collections', { collection: collection.id })}
        className="flex min-h-16 w-full items-center gap-3.5 py-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <span className="grid min-w-0 flex-1">
          <b dir="auto" className="font-semibold wrap-anywhere">
            {collection.name}
          </b>
          <span className="text-xs text-ink-2">{genreNames(genres)}</span>
          <span className="text-xs text-ink-2 tabular-nums">{describeCollection(collection)}</span>
        </span>
        <CollectionCovers genres={genres} className="size-9" />
      </button>
    </li>
  )
}

/** An own collection: what others see of it, its link, and everything that its owner can change. */
function CollectionPage({ collection }: { collection: OwnCollection }) {
  return (
    <>
      <div className="grid gap-2">
        <CollectionPreview title={collection.name} genres={genresOf(collection)} />
        <p className="text-xs text-ink-2 tabular-nums">{describeCollection(collection)}</p>
      </div>
      <CollectionLink collection={collection} />
      <CollectionEditor collection={collection} />
      <DeleteCollection collection={collection} />
    </>
  )
}
