import { useState } from 'react'
import { deleteAccount, exportData } from '../../contract/profiles.ts'
import { addressOf } from '../api/address.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, type OpenState } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { toastError } from '../ui/toast.ts'

interface DeleteAccountDialogProps extends OpenState {
  /** What must be typed: the e-mail, or DELETE for an account without one (people-18). */
  email: string | null
}

export function DeleteAccountDialog({ email, open, onOpenChange }: DeleteAccountDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Delete my account" width="32rem">
      <Confirmation wanted={email ?? 'DELETE'} onCancel={() => onOpenChange(false)} />
    </Dialog>
  )
}

function Confirmation({ wanted, onCancel }: { wanted: string; onCancel: () => void }) {
  const [typed, setTyped] = useState('')
  const isRight = typed.trim().toLowerCase() === wanted.toLowerCase()
  const deleting = useDeleteAccount()

  return (
    <Form onSend={() => deleting.mutate(typed)} className="grid gap-4">
      <p className="text-base">This cannot be undone. At once and for good you lose:</p>
      <ul className="grid list-disc gap-1 pl-5 text-ink-2">
        <li>all of your ratings and your library</li>
        <li>your achievements</li>
        <li>your profile, your photo and who follows whom</li>
        <li>your collections; links to them and to your achievements stop working</li>
      </ul>
      <p className="text-ink-2">
        You can{' '}
        <a href={addressOf(exportData.path)} download className="text-ink underline">
          download your data
        </a>{' '}
        first.
      </p>
      <Field
        label={`To confirm, type ${wanted}`}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={setTyped}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          disabled={!isRight}
          pending={deleting.isPending}
          className="enabled:border-danger! enabled:text-danger!"
        >
          {deleting.isPending ? 'Deleting...' : 'Delete my account'}
        </Button>
        <Button variant="bare" onClick={onCancel}>
          Keep my account
        </Button>
      </div>
    </Form>
  )
}

function useDeleteAccount() {
  return useAction({
    mutationFn: (confirmation: string) => call(deleteAccount, { body: { confirmation } }),
    // Reloads the page, so that no data of the account stays in memory.
    onSuccess: () => location.replace(addressOf('/')),
    onError: () => toastError('Your account was not deleted. Please try again.'),
  })
}
