import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listPasskeys, MOST_PASSKEYS, type Passkey } from '../../contract/passkeys.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Plus } from '../ui/laterIcons.ts'
import { toast, toastError } from '../ui/toast.ts'
import { PasskeyRow, useRefreshPasskeys } from './PasskeyRow.tsx'
import { canUsePasskeys, makePasskey } from './passkeys.ts'
import { whyNotAdded } from './whyNoPasskey.ts'

/** The listener's passkeys, with what adds, renames and removes one (signin-23). */
export function YourPasskeys() {
  // They change on other devices, so the list is fetched whenever the page appears.
  const passkeys = useQuery({ ...query(listPasskeys), refetchOnMount: 'always' })
  const heading = useRef<HTMLHeadingElement>(null)
  const [added, setAdded] = useState<string | null>(null)
  if (!canUsePasskeys && !passkeys.data?.length) return null
  return (
    <section aria-labelledby="your-passkeys" className="border-t border-line pt-6">
      <h2 ref={heading} id="your-passkeys" tabIndex={-1} className="outline-none">
        Passkeys
      </h2>
      <div className="mt-3 grid max-w-176 justify-items-start gap-5">
        <p className="text-ink-2">
          Sign in with the fingerprint, face or PIN that unlocks your device, without an e-mail.
        </p>
        {passkeys.data ? (
          <>
            <ul className="w-full empty:hidden">
              {passkeys.data.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  isNew={passkey.id === added}
                  onRemoved={() => heading.current?.focus()}
                />
              ))}
            </ul>
            <AddPasskey isFull={passkeys.data.length >= MOST_PASSKEYS} onAdded={({ id }) => setAdded(id)} />
          </>
        ) : passkeys.isError ? (
          <LoadFailure onRetry={passkeys.refetch}>The list of your passkeys did not load.</LoadFailure>
        ) : (
          <p className="text-ink-2">Looking for your passkeys...</p>
        )}
      </div>
    </section>
  )
}

function AddPasskey({ isFull, onAdded }: { isFull: boolean; onAdded: (passkey: Passkey) => void }) {
  const refresh = useRefreshPasskeys()
  const adding = useAction({
    mutationFn: makePasskey,
    onSuccess(passkey) {
      onAdded(passkey)
      toast({ title: 'Passkey added', description: 'You can sign in with it from now on.', tone: 'success' })
      return refresh()
    },
    onError: (error) => toastError(whyNotAdded(error)),
  })
  if (!canUsePasskeys) return <p className="text-ink-2">Passkeys cannot be added in this browser.</p>
  if (isFull)
    return <p className="text-ink-2">You have {MOST_PASSKEYS} passkeys. Remove one to add another.</p>
  return (
    <Button pending={adding.isPending} onClick={() => adding.mutate()}>
      <Plus />
      {adding.isPending ? 'Adding a passkey...' : 'Add a passkey'}
    </Button>
  )
}
