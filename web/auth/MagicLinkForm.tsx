import { type FormEvent, useId, useState } from 'react'
import { sendMagicLink } from '../../contract/auth.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { Button } from '../ui/Button.tsx'
import { createPressGuard } from '../ui/pressGuard.ts'
import { toast } from '../ui/toast.ts'

/** Requests a sign-in link. In development the answer contains it (signin-10). */
export function MagicLinkForm() {
  const [email, setEmail] = useState('')
  const [sending, setSending] = useState(false)
  const [guard] = useState(createPressGuard)
  const [developmentLink, setDevelopmentLink] = useState<string | null>(null)
  const field = useId()
  const address = email.trim()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (address === '' || !guard.start()) return
    setSending(true)
    try {
      const { message, magicLink } = await call(sendMagicLink, { body: { email: address } })
      setDevelopmentLink(magicLink ?? null)
      toast({ title: 'Email Sent', description: message, tone: 'success' })
    } catch (error) {
      toast({ title: 'Error', description: failureOf(error), tone: 'error' })
    }
    setSending(false)
    guard.end()
  }

  return (
    <>
      <form onSubmit={submit} className="grid gap-3">
        <div className="grid gap-1.5">
          <label htmlFor={field} className="font-semibold">
            E-mail
          </label>
          <input
            id={field}
            type="email"
            required
            autoComplete="email"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            className="min-h-12 w-full rounded-control border border-line-strong bg-surface px-3.5 py-2.5 text-base"
          />
        </div>
        <Button type="submit" variant="main" className="min-h-12" disabled={address === '' || sending}>
          {sending ? 'Sending...' : 'Send magic link'}
        </Button>
      </form>
      <div role="status">{developmentLink && <DevelopmentLink address={developmentLink} />}</div>
    </>
  )
}

/** Replaces the mail in development. */
function DevelopmentLink({ address }: { address: string }) {
  return (
    <div className="grid gap-1.5 rounded-control border border-dashed border-line-strong px-4 py-3.5">
      <b className="font-semibold">Development link</b>
      <span className="text-xs text-ink-2">Instead of a mail. It works once and expires in 15 minutes.</span>
      <a href={address} className="min-h-6 wrap-anywhere underline underline-offset-3">
        {address}
      </a>
    </div>
  )
}

function failureOf(error: unknown): string {
  return (error instanceof ApiError && error.serverMessage) || 'Failed to send magic link'
}
