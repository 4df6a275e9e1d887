import { useState } from 'react'
import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  NEW_COLLECTION_MICROGENRES,
  shareCollection,
} from '../../contract/collections.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { openDialog } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'
import { type CollectionDraft, CollectionFields, validateDraft } from './CollectionFields.tsx'
import { type CollectionGenre, CollectionPreview, CollectionShareOptions } from './CollectionPreview.tsx'

interface ShareCollectionDialogProps extends OpenState {
  /** The listener's microgenres, the top ones first. */
  genres: readonly CollectionGenre[]
}

/** A form, then the share link with its options (sharing-3). */
export function ShareCollectionDialog({ genres, open, onOpenChange }: ShareCollectionDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Collection">
      <ShareSteps genres={genres.slice(0, NEW_COLLECTION_MICROGENRES)} />
    </Dialog>
  )
}

function ShareSteps({ genres }: { genres: readonly CollectionGenre[] }) {
  const [createdCollection, setCreatedCollection] = useState<CreatedCollection | null>(null)
  if (!createdCollection) return <CollectionForm genres={genres} onCreated={setCreatedCollection} />
  const { id, name, shareToken } = createdCollection
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

interface CreatedCollection {
  id: string
  name: string
  /** Null for a private collection. */
  shareToken: string | null
}

interface CollectionFormProps {
  genres: readonly CollectionGenre[]
  onCreated: (createdCollection: CreatedCollection) => void
}

/** The form of a new collection. */
function CollectionForm({ genres, onCreated }: CollectionFormProps) {
  const [draft, setDraft] = useState<CollectionDraft>({ name: '', description: '', isPublic: true })
  const creating = useMutation({
    mutationFn: (validDraft: CollectionDraft) => createSharedCollection(validDraft, genres),
    onSuccess(createdCollection, { name }) {
      toast({ title: 'Collection created!', tone: 'success' })
      onCreated({ ...createdCollection, name })
    },
    onError: () => toast.error('Failed to create collection. Please try again.'),
  })

  function submit() {
    const validDraft = validateDraft(draft)
    if (validDraft) creating.mutate(validDraft)
  }

  return (
    <Form noValidate onSubmit={submit} className="grid gap-4">
      <CollectionPreview title="Your top microgenres" genres={genres} />
      <CollectionFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      <SubmitButton pending={creating.isPending} pendingText="Creating...">
        Create Collection
      </SubmitButton>
    </Form>
  )
}

/**
 * Creates a collection of these microgenres, one call each (sharing-2), and its link unless it is private (sharing-5).
 * When a call fails the collection is deleted.
 */
async function createSharedCollection(
  draft: CollectionDraft,
  genres: readonly { id: string }[],
): Promise<{ id: string; shareToken: string | null }> {
  const { id } = await call(createCollection, { body: draft })
  try {
    for (const genre of genres) {
      await call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
    }
    const { shareToken } = draft.isPublic
      ? await call(shareCollection, { params: { id } })
      : { shareToken: null }
    return { id, shareToken }
  } catch (error) {
    await call(deleteCollection, { params: { id } }).catch(() => {})
    throw error
  }
}
