import { Layers } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { useDialog } from '../ui/place.ts'

const CollectionsDialog = lazyDialog(async () => (await import('./CollectionsDialog.tsx')).CollectionsDialog)

/** 'Collections' with their dialog (sharing-18). */
export function CollectionsButton({ canCreate }: { canCreate: boolean }) {
  const { open, onOpenChange } = useDialog('collections')
  return (
    <>
      <Button onClick={() => onOpenChange(true)} className="max-wide:size-(--size-touch) max-wide:px-0!">
        <Layers className="size-5" strokeWidth={1.75} aria-hidden="true" />
        <span className="max-wide:sr-only">Collections</span>
      </Button>
      <CollectionsDialog canCreate={canCreate} open={open} onOpenChange={onOpenChange} />
    </>
  )
}
