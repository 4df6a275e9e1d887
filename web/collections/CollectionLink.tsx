import { useState } from 'react'
import { type OwnCollection, shareCollection, unshareCollection } from '../../contract/collections.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { Link2Off, Share2 } from '../ui/laterIcons.ts'
import { toast, toastError } from '../ui/toast.ts'
import { CollectionShareOptions } from './CollectionShareOptions.tsx'
import { useChangeOwn } from './ownCollections.ts'

/** Makes the link of a public collection, shows ways to share it, and ends it (sharing-4, sharing-18). */
export function CollectionLink({
  collection: { id, name, isPublic, shareToken },
}: {
  collection: OwnCollection
}) {
  const [isShared, setShared] = useState(false)
  const changeOwn = useChangeOwn()
  const keepToken = (token: string | null) =>
    changeOwn((all) => all.map((one) => (one.id === id ? { ...one, shareToken: token } : one)))

  const sharing = useAction({
    mutationFn: () => call(shareCollection, { params: { id } }),
    onSuccess(made) {
      keepToken(made.shareToken)
      setShared(true)
    },
    onError: () => toastError('The link could not be made. Please try again.'),
  })
  const ending = useAction({
    mutationFn: () => call(unshareCollection, { params: { id } }),
    onSuccess() {
      keepToken(null)
      setShared(false)
      toast({ title: 'Link ended', description: 'It shows nothing any more.', tone: 'success' })
    },
    onError: () => toastError('The link still works. Please try again.'),
  })

  if (!isPublic) return <p className="text-ink-2">Only you can see it. Make it public to share it.</p>
  return (
    <>
      {isShared && shareToken !== null && <CollectionShareOptions name={name} shareToken={shareToken} />}
      <div className="flex flex-wrap gap-3">
        {!isShared && (
          <Button pending={sharing.isPending} onClick={() => sharing.mutate()}>
            <Share2 />
            Share
          </Button>
        )}
        {shareToken !== null && (
          <Button pending={ending.isPending} onClick={() => ending.mutate()}>
            <Link2Off />
            End the link
          </Button>
        )}
      </div>
    </>
  )
}
