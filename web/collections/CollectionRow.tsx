import type { OwnCollection } from '../../contract/collections.ts'
import { openDialog } from '../ui/place.ts'
import { useFocusOnMount } from '../ui/useFocusOnMount.ts'
import { CollectionCovers, genreNames } from './CollectionPreview.tsx'
import { describeCollection, genresOf } from './ownCollections.ts'

/** One collection in the list; pressing the row shows it. */
export function CollectionRow({
  collection,
  takesFocus,
}: {
  collection: OwnCollection
  takesFocus: boolean
}) {
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
