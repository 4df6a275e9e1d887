import { useState } from 'react'
import { getCollectionStory, sharePath } from '../../contract/sharing.ts'
import { fillPath } from '../api/address.ts'
import { ShareOptions } from '../sharing/ShareOptions.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { CollectionForm } from './CollectionForm.tsx'
import { type CollectionGenre, CollectionPreview } from './CollectionPreview.tsx'

interface CollectionDialogProps {
  genres: readonly CollectionGenre[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A form, then the share link with its options (sharing-3). */
export function CollectionDialog({ genres, open, onOpenChange }: CollectionDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Collection">
      <Steps genres={genres} />
    </Dialog>
  )
}

interface Made {
  name: string
  /** Null for a private collection. */
  shareToken: string | null
}

function Steps({ genres }: { genres: readonly CollectionGenre[] }) {
  const [made, setMade] = useState<Made | null>(null)
  if (!made) return <CollectionForm genres={genres} onMade={setMade} />
  const { name, shareToken } = made
  return (
    <>
      <CollectionPreview title={name} genres={genres} />
      {shareToken === null ? (
        <p role="status" className="text-base text-ink-2">
          This collection is private, so it has no link. Only you can see it.
        </p>
      ) : (
        <ShareOptions
          text={`‘${name}’, a collection on Banger or Bust.`}
          link={`${location.origin}${sharePath('collection', shareToken)}`}
          picture={fillPath(getCollectionStory, { shareToken })}
        />
      )}
    </>
  )
}
