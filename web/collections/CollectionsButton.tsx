import { HeadingButton } from '../ui/controls/HeadingButton.tsx'
import { Layers } from '../ui/laterIcons.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { useDialog } from '../ui/screenParams.ts'

const CollectionsDialog = lazyDialog(async () => (await import('./CollectionsDialog.tsx')).CollectionsDialog)

/** 'Collections' with their dialog (sharing-18). */
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
