import { Share2 } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { useDialog } from '../ui/place.ts'
import type { CollectionGenre } from './CollectionPreview.tsx'

/** The dialog is loaded on demand: without bangers nobody can share a collection. */
const CollectionDialog = lazyDialog(async () => (await import('./CollectionDialog.tsx')).CollectionDialog)

/**
 * 'Share Collection' with the listener's top microgenres, given in order; disabled when there are none (sharing-2).
 */
export function ShareCollectionButton({ genres }: { genres: readonly CollectionGenre[] }) {
  const { open, onOpenChange } = useDialog('share-collection')
  const hint = useId()
  const isEmpty = genres.length === 0
  return (
    <>
      <Button
        aria-disabled={isEmpty || undefined}
        aria-describedby={isEmpty ? hint : undefined}
        onClick={() => !isEmpty && onOpenChange(true)}
        className="max-wide:size-(--size-touch) max-wide:px-0!"
      >
        <Share2 className="size-5" strokeWidth={1.75} aria-hidden="true" />
        <span className="max-wide:sr-only">Share Collection</span>
      </Button>
      {isEmpty && (
        <span id={hint} className="text-xs text-ink-2">
          Find a banger to share first.
        </span>
      )}
      <CollectionDialog genres={genres} open={open && !isEmpty} onOpenChange={onOpenChange} />
    </>
  )
}
