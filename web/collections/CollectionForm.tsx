import { type FormEvent, useId, useState } from 'react'
import { COLLECTION_DESCRIPTION_LENGTH, COLLECTION_NAME_LENGTH } from '../../contract/collections.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { toast } from '../ui/toast.ts'
import { type CollectionGenre, CollectionPreview } from './CollectionPreview.tsx'
import { createSharedCollection } from './createSharedCollection.ts'

interface CollectionFormProps {
  genres: readonly CollectionGenre[]
  onMade: (made: { name: string; shareToken: string | null }) => void
}

export function CollectionForm({ genres, onMade }: CollectionFormProps) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [isPublic, setIsPublic] = useState(true)
  const form = { name: name.trim(), description: description.trim(), isPublic }

  const creating = useAction({
    mutationFn: () => createSharedCollection(form, genres),
    onSuccess(shareToken) {
      toast({ title: 'Collection created!', tone: 'success' })
      onMade({ name: form.name, shareToken })
    },
    onError() {
      toast({
        title: 'Error',
        description: 'Failed to create collection. Please try again.',
        tone: 'error',
      })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (form.name !== '') return creating.mutate()
    toast({
      title: 'Name required',
      description: 'Please enter a name for your collection.',
      tone: 'error',
    })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <CollectionPreview title="Your top microgenres" genres={genres} />
      <Field
        label="Name"
        name="name"
        required
        dir="auto"
        autoComplete="off"
        maxLength={COLLECTION_NAME_LENGTH}
        value={name}
        onChange={setName}
      />
      <Field
        label="Description"
        name="description"
        rows={3}
        dir="auto"
        maxLength={COLLECTION_DESCRIPTION_LENGTH}
        value={description}
        onChange={setDescription}
      />
      <PublicSwitch isPublic={isPublic} onChange={setIsPublic} />
      <Button type="submit" variant="main" className="justify-self-start" disabled={creating.isPending}>
        {creating.isPending ? 'Creating...' : 'Create Collection'}
      </Button>
    </form>
  )
}

function PublicSwitch({ isPublic, onChange }: { isPublic: boolean; onChange: (isPublic: boolean) => void }) {
  const hint = useId()
  return (
    <div>
      <label className="flex min-h-(--size-touch) cursor-pointer items-center gap-3 font-semibold">
        <input
          type="checkbox"
          role="switch"
          aria-describedby={hint}
          checked={isPublic}
          aria-checked={isPublic}
          onChange={(event) => onChange(event.target.checked)}
          className="switch-box"
        />
        Public
      </label>
      <p id={hint} className="text-xs text-ink-2">
        {isPublic
          ? 'Whoever has the link sees the collection, your name and your picture.'
          : 'Only you see it. A private collection has no link.'}
      </p>
    </div>
  )
}
