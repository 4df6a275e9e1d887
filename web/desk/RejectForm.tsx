import { useState } from 'react'
import { REASON_LENGTH } from '../../contract/desk.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form, Submit } from '../ui/Form.tsx'

interface RejectFormProps {
  isPending: boolean
  onReject: (reason: string) => void
}

/** The reason of a rejection: a frequent one by one press, or the steward's own words. */
export function RejectForm({ isPending, onReject }: RejectFormProps) {
  const [reason, setReason] = useState('')
  return (
    <>
      <Form noValidate onSend={() => onReject(reason)} className="grid gap-3">
        <Field
          label="Reason"
          data-first-field=""
          autoComplete="off"
          maxLength={REASON_LENGTH}
          value={reason}
          onChange={setReason}
        />
        <Submit disabled={reason.trim() === ''} pending={isPending}>
          Reject
        </Submit>
      </Form>
      <ul aria-label="Frequent reasons" className="grid gap-2">
        {FREQUENT.map((words) => (
          <li key={words} className="grid">
            <Button pending={isPending} onClick={() => onReject(words)}>
              <span className="whitespace-normal">{words}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

const FREQUENT = [
  'It is a live recording, a remix or a cover.',
  'It belongs to none of our microgenres.',
  'It is not one song.',
  'It can be heard nowhere.',
]
