import { useState } from 'react'
import { COLLECTION_TOP_GENRES } from '../../contract/collections.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { openDialog } from '../ui/place.ts'
import { CollectionForm, type MadeCollection } from './CollectionForm.tsx'
import { type CollectionGenre, CollectionPreview } from './CollectionPreview.tsx'
import { CollectionShareOptions } from './CollectionShareOptions.tsx'

interface CollectionDialogProps {
  /** The listener's microgenres, the top ones first. */
  genres: readonly CollectionGenre[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A form, then the share link with its options (sharing-3). */
export function CollectionDialog({ genres, open, onOpenChange }: CollectionDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Collection">
      <Steps genres={genres.slice(0, COLLECTION_TOP_GENRES)} />
    </Dialog>
  )
}

function Steps({ genres }: { genres: readonly CollectionGenre[] }) {
  const [made, setMade] = useState<MadeCollection | null>(null)
  if (!made) return <CollectionForm genres={genres} onMade={setMade} />
  const { id, name, shareToken } = made
  return (
    <>
      <CollectionPreview title={name} genres={genres} />
      {shareToken === null ? (
        <p role="status" className="text-base text-ink-2">
          This collection is private, so it has no link. Only you can see it.
        </p>
      ) : (
        <CollectionShareOptions name={name} shareToken={shareToken} />
      )}
      <Button className="justify-self-start" onClick={() => openDialog('collections', { collection: id })}>
        Edit collection
      </Button>
    </>
  )
}
