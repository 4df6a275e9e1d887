import { useId } from 'react'
import { HeadingButton } from '../ui/controls/HeadingButton.tsx'
import { Layers, Share2 } from '../ui/laterIcons.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { useDialog } from '../ui/screenParams.ts'
import type { CollectionGenre } from './CollectionPreview.tsx'

const CollectionsDialog = lazyDialog(async () => (await import('./CollectionsDialog.tsx')).CollectionsDialog)
const ShareCollectionDialog = lazyDialog(
  async () => (await import('./ShareCollectionDialog.tsx')).ShareCollectionDialog,
)

/** The button 'Collections' and its dialog (sharing-18). */
export function CollectionsButton({ canCreate }: { canCreate: boolean }) {
  const { open, onOpenChange } = useDialog('collections')
  return (
    <>
      <HeadingButton icon={Layers} onClick={() => onOpenChange(true)}>
        Collections
      </HeadingButton>
      <CollectionsDialog canCreate={canCreate} open={open} onOpenChange={onOpenChange} />
    </>
  )
}

/** The button 'Share Collection' and its dialog. `genres`: the listener's, top ones first (sharing-2). */
export function ShareCollectionButton({ genres }: { genres: readonly CollectionGenre[] }) {
  const { open, onOpenChange } = useDialog('share-collection')
  const hint = useId()
  const isEmpty = genres.length === 0
  return (
    <>
      <HeadingButton
        icon={Share2}
        aria-disabled={isEmpty || undefined}
        aria-describedby={isEmpty ? hint : undefined}
        onClick={() => !isEmpty && onOpenChange(true)}
      >
        Share<span className="@max-[46rem]:sr-only low:sr-only"> Collection</span>
      </HeadingButton>
      {isEmpty && (
        <span id={hint} className="text-xs text-ink-2 @max-[46rem]:sr-only">
          Find a banger to share first.
        </span>
      )}
      <ShareCollectionDialog genres={genres} open={open && !isEmpty} onOpenChange={onOpenChange} />
    </>
  )
}
