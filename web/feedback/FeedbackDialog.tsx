import { sendFeedback } from '../../contract/feedback.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { MessageForm } from './MessageForm.tsx'

export function FeedbackDialog({ open, onOpenChange }: OpenState) {
  const { user } = useCurrentUser()
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Your Feedback">
      <MessageForm
        endpoint={sendFeedback}
        initialEmail={user?.email ?? ''}
        submitLabel="Send Feedback"
        note={user?.emailOptOut ? NO_REPLY_NOTE : undefined}
        onSent={() => onOpenChange(false)}
      />
    </Dialog>
  )
}

const NO_REPLY_NOTE =
  'You chose ‘No e-mails’: your address is not passed on, and nobody can answer you by e-mail.'
