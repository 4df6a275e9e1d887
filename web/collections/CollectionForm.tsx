import { type FormEvent, useState } from 'react'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { type CollectionDraft, CollectionFields, checkDraft } from './CollectionFields.tsx'
import { type CollectionGenre, CollectionPreview } from './CollectionPreview.tsx'
import { createSharedCollection } from './createSharedCollection.ts'

export interface MadeCollection {
  id: string
  name: string
  /** Null for a private collection. */
  shareToken: string | null
}

interface CollectionFormProps {
  genres: readonly CollectionGenre[]
  onMade: (made: MadeCollection) => void
}

/** The form of a new collection. */
export function CollectionForm({ genres, onMade }: CollectionFormProps) {
  const [draft, setDraft] = useState<CollectionDraft>({ name: '', description: '', isPublic: true })
  const creating = useAction({
    mutationFn: (checked: CollectionDraft) => createSharedCollection(checked, genres),
    onSuccess(made, { name }) {
      toast({ title: 'Collection created!', tone: 'success' })
      onMade({ ...made, name })
    },
    onError: () => toastError('Failed to create collection. Please try again.'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const checked = checkDraft(draft)
    if (checked) creating.mutate(checked)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <CollectionPreview title="Your top microgenres" genres={genres} />
      <CollectionFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      <Button type="submit" variant="main" className="justify-self-start" pending={creating.isPending}>
        {creating.isPending ? 'Creating...' : 'Create Collection'}
      </Button>
    </form>
  )
}
