import { type FormEvent, useState } from 'react'
import { FEEDBACK_LENGTH, sendFeedback } from '../../contract/feedback.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { toast } from '../ui/toast.ts'

interface FeedbackDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function FeedbackDialog({ open, onOpenChange }: FeedbackDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Your Feedback">
      <FeedbackForm onSent={() => onOpenChange(false)} />
    </Dialog>
  )
}

function FeedbackForm({ onSent }: { onSent: () => void }) {
  const { user } = useCurrentUser()
  const [email, setEmail] = useState(user?.email ?? '')
  const [message, setMessage] = useState('')
  const body = { email: email.trim(), message: message.trim() }
  const isFilled = body.email !== '' && body.message !== ''

  const sending = useAction({
    mutationFn: () => call(sendFeedback, { body }),
    onSuccess() {
      toast({
        title: 'Message Sent!',
        description: "Thank you for your feedback. We'll get back to you soon.",
        tone: 'success',
      })
      onSent()
    },
    onError() {
      toast({
        title: 'Error Sending Feedback',
        description: 'There was an issue sending your feedback. Please try again.',
        tone: 'error',
      })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isFilled) return sending.mutate()
    toast({
      title: 'Missing Information',
      description: 'Please fill in both your email and message.',
      tone: 'error',
    })
  }

  return (
    // Without the browser's validation: it does not catch a field of spaces (people-19).
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        required
        value={email}
        onChange={setEmail}
      />
      <Field
        label="Message"
        name="message"
        data-first-field=""
        required
        rows={5}
        maxLength={FEEDBACK_LENGTH}
        value={message}
        onChange={setMessage}
      />
      <Button
        type="submit"
        variant="main"
        className="justify-self-start"
        disabled={!isFilled || sending.isPending}
      >
        {sending.isPending ? 'Sending...' : 'Send Feedback'}
      </Button>
    </form>
  )
}
