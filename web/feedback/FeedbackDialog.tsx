import { useRef, useState } from 'react'
import { isEmail } from '../../contract/email.ts'
import { type contactOperator, MAX_FEEDBACK_LENGTH, sendFeedback } from '../../contract/feedback.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { useCurrentUser } from '../auth/currentUser.ts'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { toast } from '../ui/toast.ts'

/** Sends the operator a message from a listener (people-19). */
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

interface MessageFormProps {
  endpoint: typeof sendFeedback | typeof contactOperator
  /** The prefilled address. */
  initialEmail: string
  submitLabel: string
  /** Shown above the button. */
  note?: string
  onSent?: () => void
}

/** A message to the operator. The form is emptied once it is sent (people-19, people-20). */
export function MessageForm({ endpoint, initialEmail, submitLabel, note, onSent }: MessageFormProps) {
  const [email, setEmail] = useState(initialEmail)
  const [message, setMessage] = useState('')
  const [emailError, setEmailError] = useState<string>()
  const emailField = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const body = { email: email.trim(), message: message.trim() }
  const isFilled = body.email !== '' && body.message !== ''

  const sending = useMutation({
    mutationFn: () => call(endpoint, { body }),
    onSuccess() {
      toast({
        title: 'Message Sent!',
        description: "Thank you for your feedback. We'll get back to you soon.",
        tone: 'success',
      })
      setMessage('')
      onSent?.()
    },
    onError: (error) => toast.error(failureMessage(error), 'Error Sending Feedback'),
  })

  function submit() {
    if (!isFilled) {
      toast.error('Please fill in both your email and message.', 'Missing Information')
    } else if (isEmail(body.email)) {
      sending.mutate()
    } else {
      setEmailError('Please enter a valid email address, such as name@example.org.')
      emailField.current?.focus()
    }
  }

  function changeEmail(value: string) {
    setEmail(value)
    setEmailError(undefined)
  }

  return (
    // The browser's validation would accept a field of spaces (people-19).
    <Form noValidate onSubmit={submit}>
      <Field
        ref={emailField}
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        required
        error={emailError}
        value={email}
        onChange={changeEmail}
      />
      <Field
        label="Message"
        name="message"
        data-first-field=""
        required
        rows={5}
        maxLength={MAX_FEEDBACK_LENGTH}
        value={message}
        onChange={setMessage}
      />
      {note && <p className="text-xs text-ink-2">{note}</p>}
      <SubmitButton disabled={!isFilled} pending={sending.isPending} pendingText="Sending...">
        {submitLabel}
      </SubmitButton>
    </Form>
  )
}

/** A rate limit says how long to wait. */
function failureMessage(error: Error): string {
  const limitMessage = error instanceof ApiError && error.status === 429 ? error.serverMessage : null
  return limitMessage ?? 'There was an issue sending your feedback. Please try again.'
}
