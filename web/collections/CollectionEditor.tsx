import { useState } from 'react'
import { type OwnCollection, updateCollection } from '../../contract/collections.ts'
import type { Body } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Form, Submit } from '../ui/Form.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { CollectionFields, checkDraft } from './CollectionFields.tsx'
import { CollectionGenres } from './CollectionGenres.tsx'
import { genresOf, useChangeOwn } from './ownCollections.ts'

/** The form of an own collection. After a failure it keeps what was entered. */
export function CollectionEditor({ collection }: { collection: OwnCollection }) {
  const { name, description, isPublic } = collection
  const [draft, setDraft] = useState({ name, description: description ?? '', isPublic })
  const [genres, setGenres] = useState(() => genresOf(collection))
  const saving = useSave(collection.id)

  function save() {
    const checked = checkDraft(draft)
    if (checked) saving.mutate({ ...checked, microgenreIds: genres.map(({ id }) => id) })
  }

  return (
    <Form noValidate onSend={save} className="grid gap-4">
      <CollectionFields
        draft={draft}
        hasLink={collection.shareToken !== null}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <CollectionGenres genres={genres} onChange={setGenres} />
      <Submit className="" pending={saving.isPending} busy="Saving...">
        Save
      </Submit>
    </Form>
  )
}

function useSave(id: string) {
  const changeOwn = useChangeOwn()
  return useAction({
    mutationFn: (body: Body<typeof updateCollection>) => call(updateCollection, { params: { id }, body }),
    onSuccess(changed) {
      changeOwn((all) => all.map((one) => (one.id === id ? changed : one)))
      toast({ title: 'Collection Updated', description: 'Your changes are saved.', tone: 'success' })
    },
    onError: () => toastError('Failed to update collection. Please try again.'),
  })
}
