import { useState } from 'react'
import { deleteCollection, type OwnCollection } from '../../contract/collections.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { closeDetail } from '../ui/place.ts'
import { toast, toastError } from '../ui/toast.ts'
import { useFocusOnMount } from '../ui/useFocusOnMount.ts'
import { useChangeOwn } from './ownCollections.ts'

/** Deletes a collection after asking (sharing-6). */
export function DeleteCollection({ collection }: { collection: OwnCollection }) {
  const [asked, setAsked] = useState<'not yet' | 'now' | 'before'>('not yet')
  return asked === 'now' ? (
    <Confirmation collection={collection} onKeep={() => setAsked('before')} />
  ) : (
    <DeleteButton takesFocus={asked === 'before'} onPress={() => setAsked('now')} />
  )
}

function DeleteButton({ takesFocus, onPress }: { takesFocus: boolean; onPress: () => void }) {
  const button = useFocusOnMount<HTMLButtonElement>(takesFocus)
  return (
    <Button ref={button} variant="bare" className="-ml-4.5 justify-self-start text-danger!" onClick={onPress}>
      Delete collection
    </Button>
  )
}

function Confirmation({ collection, onKeep }: { collection: OwnCollection; onKeep: () => void }) {
  const { id, name, shareToken } = collection
  const keep = useFocusOnMount<HTMLButtonElement>()
  const changeOwn = useChangeOwn()
  const deleting = useAction({
    mutationFn: () => call(deleteCollection, { params: { id } }),
    onSuccess() {
      closeDetail('collection')
      changeOwn((all) => all.filter((one) => one.id !== id))
      toast({ title: 'Collection deleted', tone: 'success' })
    },
    onError: () => toastError('Your collection was not deleted. Please try again.'),
  })
  return (
    <div className="grid gap-3">
      <p className="text-base wrap-anywhere">
        Delete ‘<bdi>{name}</bdi>’? This cannot be undone.{shareToken !== null && ' Its link stops working.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          pending={deleting.isPending}
          className="border-danger! text-danger!"
          onClick={() => deleting.mutate()}
        >
          {deleting.isPending ? 'Deleting...' : 'Delete'}
        </Button>
        <Button ref={keep} variant="bare" onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </div>
  )
}
