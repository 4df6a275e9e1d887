import { useState } from 'react'
import type { OwnCollection } from '../../contract/collections.ts'
import { Button } from '../ui/controls/Button.tsx'
import { BackButton } from '../ui/dialogs/BackButton.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { closeDetail, openDialog, useScreenParams } from '../ui/screenParams.ts'
import { CollectionPage } from './CollectionPage.tsx'
import { CollectionCovers, formatGenreNames } from './CollectionPreview.tsx'
import { formatAccessAndViews, genresOf, useOwnCollections } from './ownCollections.ts'

interface CollectionsDialogProps extends OpenState {
  /** Whether the listener has bangers to make a collection of. */
  canCreate: boolean
}

/** The listener's own collections. Choosing one shows it in place of the list. */
export function CollectionsDialog({ canCreate, open, onOpenChange }: CollectionsDialogProps) {
  const { collection } = useScreenParams()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={collection === null ? 'Your Collections' : 'Edit Collection'}
      width="36rem"
      tall
    >
      <Collections collectionId={collection} canCreate={canCreate} />
    </Dialog>
  )
}

function Collections({ collectionId, canCreate }: { collectionId: string | null; canCreate: boolean }) {
  const { data: collections, isError, refetch } = useOwnCollections()
  /** Its row gets the focus after Back. */
  const [lastShownId, setLastShownId] = useState(collectionId)
  if (collectionId !== null && collectionId !== lastShownId) setLastShownId(collectionId)
  if (!collections) {
    return isError ? (
      <LoadFailure onRetry={refetch}>
        Your collections did not load. Check your connection and try again.
      </LoadFailure>
    ) : (
      <Loading>Loading your collections...</Loading>
    )
  }
  if (collectionId !== null) {
    const collection = collections.find(({ id }) => id === collectionId)
    return (
      <>
        <BackButton onBack={() => closeDetail('collection')}>All collections</BackButton>
        {collection ? (
          <CollectionPage key={collectionId} collection={collection} />
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
            <CollectionRow
              key={collection.id}
              collection={collection}
              takesFocus={collection.id === lastShownId}
            />
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
  const genres = genresOf(collection)
  return (
    <li className="border-b border-line">
      <button
        ref={takesFocus ? focusElement : undefined}
        type="button"
        onClick={() => openDialog('collections', { collection: collection.id })}
        className="flex min-h-16 w-full items-center gap-3 py-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <span className="grid min-w-0 flex-1">
          <b dir="auto" className="font-semibold wrap-anywhere">
            {collection.name}
          </b>
          <span className="text-xs text-ink-2">{formatGenreNames(genres)}</span>
          <span className="text-xs text-ink-2 tabular-nums">{formatAccessAndViews(collection)}</span>
        </span>
        <CollectionCovers genres={genres} className="size-9" />
      </button>
    </li>
  )
}
