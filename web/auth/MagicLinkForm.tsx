import { useState } from 'react'
import { sendMagicLink } from '../../contract/auth.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { useSinglePress } from '../api/useSinglePress.ts'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { toast } from '../ui/toast.ts'
import {
  cancelPasskeyRequest,
  canUsePasskeys,
  finishPasskeySignIn,
  passkeySignInMessage,
  requestPasskey,
} from './passkeys.ts'
import { readCodeRequest, SignInCode, saveCodeRequest } from './SignInCode.tsx'

/** Requests a sign-in link and its code. In development the answer contains them (signin-10). */
export function MagicLinkForm() {
  const [email, setEmail] = useState('')
  const address = email.trim()
  const [isPending, setPending] = useState(false)
  const [sent, setSent] = useState<ResponseOf<typeof sendMagicLink>>()
  const [requestedAt, setRequestedAt] = useState(readCodeRequest)
  const pressOnce = useSinglePress()

  async function send() {
    setPending(true)
    setSent(undefined)
    try {
      const answer = await call(sendMagicLink, { body: { email: address } })
      setSent(answer)
      setRequestedAt(saveCodeRequest())
      toast({ title: 'Email Sent', description: answer.message, tone: 'success' })
    } catch (error) {
      toast.error(failureMessage(error))
    }
    setPending(false)
  }

  return (
    <>
      <Form ref={suggestPasskeys} onSubmit={() => pressOnce(send)} className="grid gap-3">
        <Field
          label="E-mail"
          type="email"
          required
          autoComplete="email webauthn"
          maxLength={254}
          value={email}
          onChange={setEmail}
        />
        <SubmitButton
          className="min-h-12"
          disabled={address === ''}
          pending={isPending}
          pendingText="Sending..."
        >
          Send magic link
        </SubmitButton>
      </Form>
      {requestedAt > 0 && <SignInCode key={requestedAt} takesFocus={sent !== undefined} />}
      <div role="status">
        {sent?.magicLink && <DevelopmentLink address={sent.magicLink} code={sent.code} />}
      </div>
    </>
  )
}

/** Replaces the mail in development. */
function DevelopmentLink({ address, code }: { address: string; code: string | undefined }) {
  return (
    <div className="grid gap-1.5 rounded-control border border-dashed border-line-strong px-4 py-3">
      <b className="font-semibold">Development link</b>
      <span className="text-xs text-ink-2">It replaces the mail, works once, and expires in 15 minutes.</span>
      <a href={address} className="min-h-6 wrap-anywhere underline underline-offset-3">
        {address}
      </a>
      <span>
        Code: <b className="font-semibold tabular-nums">{code}</b>
      </span>
    </div>
  )
}

function failureMessage(error: unknown): string {
  return (error instanceof ApiError && error.serverMessage) || 'Failed to send magic link'
}

/**
 * For the ref of the form: offers passkeys among the suggestions of its e-mail field, where the browser can
 * (signin-20). A request that fails or is cancelled shows nothing.
 */
function suggestPasskeys() {
  if (!canUsePasskeys) return
  const abortController = new AbortController()
  requestSuggestedPasskey(abortController.signal).catch(() => {})
  return () => {
    abortController.abort()
    cancelPasskeyRequest().catch(() => {})
  }
}

/** Only once: after a failed sign-in a toast says why, and the passkey button remains. */
async function requestSuggestedPasskey(signal: AbortSignal): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || signal.aborted) return
  const assertion = await requestPasskey('suggestions')
  await finishPasskeySignIn(assertion).catch((error: Error) =>
    toast.error(passkeySignInMessage(error), 'Not signed in'),
  )
}
