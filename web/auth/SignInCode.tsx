import { useRef, useState } from 'react'
import { CODE_LENGTH, redeemCode } from '../../contract/signInCode.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { withBasePath } from '../api/paths.ts'
import { storageItem } from '../api/storageItem.ts'
import { useSinglePress } from '../api/useSinglePress.ts'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'

/** Takes the code of the mail, so that a phone stays in its tab (signin-29). */
export function SignInCode({ takesFocus }: { takesFocus: boolean }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  const pressOnce = useSinglePress()
  const form = useRef<HTMLFormElement>(null)

  function change(text: string) {
    const digits = text.replace(/\D/g, '').slice(0, CODE_LENGTH)
    setCode(digits)
    setError(undefined)
    if (digits.length === CODE_LENGTH && digits !== code) pressOnce(() => send(digits))
  }

  async function send(digits: string) {
    setPending(true)
    setError(undefined)
    try {
      const { location: address } = await call(redeemCode, { body: { code: digits } })
      requestTime.save(null)
      location.replace(withBasePath(address))
    } catch (error) {
      setError(refusalMessage(error) ?? 'Signing in did not work. Please try again.')
      setPending(false)
      const field = form.current?.querySelector('input')
      field?.focus()
      field?.select()
    }
  }

  return (
    <Form ref={form} onSubmit={() => pressOnce(() => send(code))}>
      <Field
        label="Code from the mail"
        note="signs in at the sixth digit"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus={takesFocus}
        required
        readOnly={isPending}
        value={code}
        error={error}
        onChange={change}
        className="h-12 text-lg tracking-widest tabular-nums"
      >
        <SubmitButton
          className="min-h-12"
          disabled={code.length < CODE_LENGTH}
          pending={isPending}
          pendingText="Signing in..."
        >
          Sign in
        </SubmitButton>
      </Field>
    </Form>
  )
}

/** When this tab requested a code. A phone may unload the tab while its mail is read. */
const requestTime = storageItem('code-requested', 'tab')

/** Milliseconds that a code works. */
const MAX_AGE = 15 * 60_000

/** The time of a request whose code may still work; 0 without one. */
export function readCodeRequest(): number {
  const time = Number(requestTime.read())
  return Date.now() - time < MAX_AGE ? time : 0
}

/** Returns the time. */
export function saveCodeRequest(): number {
  const time = Date.now()
  requestTime.save(String(time))
  return time
}
