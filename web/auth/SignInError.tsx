import { useSearch } from 'wouter'
import { CircleAlert } from '../ui/icons.ts'
import { hasSessionEnded, SESSION_ENDED } from './returnAddress.ts'
import { signInErrorMessage } from './signInErrorMessage.ts'

/** Why the last sign-in failed, from the address, or that a session has ended. */
export function SignInError() {
  const message = signInErrorMessage(useSearch()) ?? (hasSessionEnded() ? SESSION_ENDED : null)
  if (message === null) return null
  return (
    <p
      role="alert"
      className="flex items-start gap-3 rounded-control border border-line-strong bg-raised px-4 py-3"
    >
      <CircleAlert className="size-5 text-danger" />
      {message}
    </p>
  )
}
