import { useState } from 'react'
import {
  deleteCollection,
  type OwnCollection,
  shareCollection,
  unshareCollection,
  updateCollection,
} from '../../contract/collections.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { DeleteButton } from '../ui/dialogs/Confirmation.tsx'
import { Link2Off, Share2 } from '../ui/laterIcons.ts'
import { closeDetail } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'
import { CollectionFields, validateDraft } from './CollectionFields.tsx'
import { CollectionGenres } from './CollectionGenres.tsx'
import { CollectionPreview, CollectionShareOptions } from './CollectionPreview.tsx'
import { formatAccessAndViews, genresOf, useUpdateCachedCollections } from './ownCollections.ts'

/** An own collection: what others see of it, its link, and everything that its owner can change. */
export function CollectionPage({ collection }: { collection: OwnCollection }) {
  return (
    <>
      <div className="grid gap-2">
        <CollectionPreview title={collection.name} genres={genresOf(collection)} />
        <p className="text-xs text-ink-2 tabular-nums">{formatAccessAndViews(collection)}</p>
      </div>
      <CollectionLink collection={collection} />
      <CollectionEditor collection={collection} />
      <DeleteCollection collection={collection} />
    </>
  )
}

/** The form of an own collection. After a failure it keeps what was entered. */
function CollectionEditor({ collection }: { collection: OwnCollection }) {
  const { name, description, isPublic } = collection
  const [draft, setDraft] = useState({ name, description: description ?? '', isPublic })
  const [genres, setGenres] = useState(() => genresOf(collection))
  const saving = useSaveCollection(collection.id)

  function save() {
    const validDraft = validateDraft(draft)
    if (validDraft) saving.mutate({ ...validDraft, microgenreIds: genres.map(({ id }) => id) })
  }

  return (
    <Form noValidate onSubmit={save} className="grid gap-4">
      <CollectionFields
        draft={draft}
        hasLink={collection.shareToken !== null}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <CollectionGenres genres={genres} onChange={setGenres} />
      <SubmitButton className="" pending={saving.isPending} pendingText="Saving...">
        Save
      </SubmitButton>
    </Form>
  )
}

function useSaveCollection(id: string) {
  const updateCachedCollections = useUpdateCachedCollections()
  return useMutation({
    mutationFn: (body: BodyOf<typeof updateCollection>) => call(updateCollection, { params: { id }, body }),
    onSuccess(updatedCollection) {
      updateCachedCollections((all) => all.map((one) => (one.id === id ? updatedCollection : one)))
      toast({ title: 'Collection Updated', description: 'Your changes are saved.', tone: 'success' })
    },
    onError: () => toast.error('Failed to update collection. Please try again.'),
  })
}

/** Creates the link of a public collection, shows ways to share it, and ends it (sharing-4, sharing-18). */
function CollectionLink({ collection: { id, name, isPublic, shareToken } }: { collection: OwnCollection }) {
  const [isShareOpen, setShareOpen] = useState(false)
  const updateCachedCollections = useUpdateCachedCollections()
  const cacheShareToken = (token: string | null) =>
    updateCachedCollections((all) => all.map((one) => (one.id === id ? { ...one, shareToken: token } : one)))

  const sharing = useMutation({
    mutationFn: () => call(shareCollection, { params: { id } }),
    onSuccess(createdLink) {
      cacheShareToken(createdLink.shareToken)
      setShareOpen(true)
    },
    onError: () => toast.error('The link could not be made. Please try again.'),
  })
  const unsharing = useMutation({
    mutationFn: () => call(unshareCollection, { params: { id } }),
    onSuccess() {
      cacheShareToken(null)
      setShareOpen(false)
      toast({ title: 'Link ended', description: 'It no longer works.', tone: 'success' })
    },
    onError: () => toast.error('The link still works. Please try again.'),
  })

  if (!isPublic) return <p className="text-ink-2">Only you can see it. Make it public to share it.</p>
  return (
    <>
      {isShareOpen && shareToken !== null && <CollectionShareOptions name={name} shareToken={shareToken} />}
      <div className="flex flex-wrap gap-3">
        {!isShareOpen && (
          <Button pending={sharing.isPending} onClick={() => sharing.mutate()}>
            <Share2 />
            Share
          </Button>
        )}
        {shareToken !== null && (
          <Button pending={unsharing.isPending} onClick={() => unsharing.mutate()}>
            <Link2Off />
            End the link
          </Button>
        )}
      </div>
    </>
  )
}

/** Deletes a collection after a confirmation (sharing-6). */
function DeleteCollection({ collection: { id, name, shareToken } }: { collection: OwnCollection }) {
  const updateCachedCollections = useUpdateCachedCollections()
  const deleting = useMutation({
    mutationFn: () => call(deleteCollection, { params: { id } }),
    onSuccess() {
      closeDetail('collection')
      updateCachedCollections((all) => all.filter((one) => one.id !== id))
      toast({ title: 'Collection deleted', tone: 'success' })
    },
    onError: () => toast.error('Your collection was not deleted. Please try again.'),
  })
  return (
    <DeleteButton
      label="Delete collection"
      isPending={deleting.isPending}
      onConfirm={() => deleting.mutate()}
    >
      Delete ‘<bdi>{name}</bdi>’? This cannot be undone.{shareToken !== null && ' Its link stops working.'}
    </DeleteButton>
  )
}
