import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  listPasskeys,
  MAX_PASSKEY_NAME_LENGTH,
  MAX_PASSKEYS,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../contract/passkeys.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form } from '../ui/controls/Form.tsx'
import { Confirmation } from '../ui/dialogs/Confirmation.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { Fingerprint } from '../ui/icons.tsx'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { Plus } from '../ui/laterIcons.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { addPasskeyMessage, canUsePasskeys, createPasskey, signalAcceptedPasskeys } from './passkeys.ts'

/** The listener's passkeys, with what adds, renames and removes one (signin-23). */
export function YourPasskeys() {
  // They change on other devices, so the list is fetched whenever the page appears.
  const passkeys = useQuery({ ...query(listPasskeys), refetchOnMount: 'always' })
  const heading = useRef<HTMLHeadingElement>(null)
  const [addedId, setAddedId] = useState<string | null>(null)
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
                  isNew={passkey.id === addedId}
                  onRemoved={() => heading.current?.focus()}
                />
              ))}
            </ul>
            <AddPasskey isFull={passkeys.data.length >= MAX_PASSKEYS} onAdded={({ id }) => setAddedId(id)} />
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
  const adding = useMutation({
    mutationFn: createPasskey,
    onSuccess(passkey) {
      onAdded(passkey)
      toast({ title: 'Passkey added', description: 'You can sign in with it from now on.', tone: 'success' })
      return refresh()
    },
    onError: (error) => toast.error(addPasskeyMessage(error)),
  })
  if (!canUsePasskeys) return <p className="text-ink-2">Passkeys cannot be added in this browser.</p>
  if (isFull)
    return <p className="text-ink-2">You have {MAX_PASSKEYS} passkeys. Remove one to add another.</p>
  return (
    <Button pending={adding.isPending} onClick={() => adding.mutate()}>
      <Plus />
      {adding.isPending ? 'Adding a passkey...' : 'Add a passkey'}
    </Button>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  /** It was just added: its name is asked for first. */
  isNew: boolean
  /** The row, and the focused button in it, are gone. */
  onRemoved: () => void
}

function PasskeyRow({ passkey, isNew, onRemoved }: PasskeyRowProps) {
  const [view, setView] = useState<'facts' | 'name' | 'removal'>(isNew ? 'name' : 'facts')
  const [lastView, setLastView] = useState<'name' | 'removal' | null>(null)
  const goBack = (from: 'name' | 'removal') => () => {
    setLastView(from)
    setView('facts')
  }
  return (
    <li className="border-b border-line py-2">
      {view === 'name' && <NameForm passkey={passkey} onDone={goBack('name')} />}
      {view === 'removal' && (
        <RemovalForm passkey={passkey} onCancel={goBack('removal')} onRemoved={onRemoved} />
      )}
      {view === 'facts' && (
        <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2">
          <Fingerprint className="size-5 flex-none text-ink-2" />
          <PasskeyFacts passkey={passkey} />
          <div className="flex gap-2">
            <RowButton shouldFocus={lastView === 'name'} name={passkey.name} onPress={() => setView('name')}>
              Rename
            </RowButton>
            <RowButton
              shouldFocus={lastView === 'removal'}
              name={passkey.name}
              onPress={() => setView('removal')}
            >
              Remove
            </RowButton>
          </div>
        </div>
      )}
    </li>
  )
}

function PasskeyFacts({ passkey: { name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  return (
    <div className="grid min-w-32 flex-1 gap-0.5">
      <bdi className="font-semibold wrap-anywhere">{name}</bdi>
      <span className="flex flex-wrap gap-x-4 text-xs text-ink-2">
        <span>{lastUsedAt ? `Last used ${formatDate(lastUsedAt)}` : 'Not used yet'}</span>
        <span>Added {formatDate(createdAt)}</span>
      </span>
    </div>
  )
}

interface RowButtonProps {
  /** The form that it opened has closed. */
  shouldFocus: boolean
  name: string
  onPress: () => void
  children: string
}

function RowButton({ shouldFocus, name, onPress, children }: RowButtonProps) {
  return (
    <Button
      ref={shouldFocus ? focusElement : undefined}
      size="tight"
      aria-label={`${children} ${name}`}
      onClick={onPress}
    >
      {children}
    </Button>
  )
}

function NameForm({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const [draftName, setDraftName] = useState(name)
  const refresh = useRefreshPasskeys()
  const saving = useMutation({
    mutationFn: () => call(renamePasskey, { params: { id }, body: { name: draftName } }),
    onSuccess: () => refresh().then(onDone),
    onError: () => toast.error('The passkey was not renamed. Please try again.'),
  })
  const save = () => (draftName.trim() === name ? onDone() : saving.mutate())

  return (
    <Form ref={selectInput} onSubmit={save} className="grid gap-3 py-2">
      <Field
        label="Name of the passkey"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_PASSKEY_NAME_LENGTH}
        value={draftName}
        onChange={setDraftName}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={draftName.trim() === ''} pending={saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save'}
        </Button>
        <Button variant="bare" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** For the ref of a form: selects the text of its field as soon as it appears. */
function selectInput(form: HTMLFormElement | null): void {
  const input = form?.querySelector('input')
  input?.focus()
  input?.select()
}

type RemovalFormProps = Omit<PasskeyRowProps, 'isNew'> & { onCancel: () => void }

function RemovalForm({ passkey: { id, name }, onCancel, onRemoved }: RemovalFormProps) {
  const refresh = useRefreshPasskeys()
  const removing = useMutation({
    mutationFn: () => call(removePasskey, { params: { id } }),
    onSuccess() {
      onRemoved()
      signalAcceptedPasskeys().catch(() => {})
      toast({ title: 'Passkey removed', tone: 'success' })
    },
    onError: (error) =>
      toast.error(
        (error instanceof ApiError && error.status === 409 && error.serverMessage) ||
          'The passkey was not removed. Please try again.',
      ),
    // Also after a failure: it may be gone already.
    onSettled: refresh,
  })
  return (
    <div className="py-2">
      <Confirmation
        confirmText="Remove"
        pendingText="Removing..."
        isPending={removing.isPending}
        onConfirm={() => removing.mutate()}
        onCancel={onCancel}
      >
        <p className="wrap-anywhere">
          Remove ‘<bdi>{name}</bdi>’? Nobody can sign in with it any more.
        </p>
      </Confirmation>
    </div>
  )
}

function useRefreshPasskeys(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: query(listPasskeys).queryKey })
}
