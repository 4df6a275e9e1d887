import type { OwnCollection } from '../../contract/collections.ts'
import { CollectionEditor } from './CollectionEditor.tsx'
import { CollectionLink } from './CollectionLink.tsx'
import { CollectionPreview } from './CollectionPreview.tsx'
import { DeleteCollection } from './DeleteCollection.tsx'
import { describeCollection, genresOf } from './ownCollections.ts'

/** An own collection: what others see of it, its link, and everything that its owner can change. */
export function CollectionPage({ collection }: { collection: OwnCollection }) {
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
