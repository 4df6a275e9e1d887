import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { config } from '../api/config.ts'
import { CircleAlert } from '../ui/icons.tsx'
import { toast } from '../ui/toast.ts'
import { hasSessionEnded, SESSION_ENDED } from './returnAddress.ts'

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

/** For signed-in listeners at the address of a failed sign-in: a used link, Back or a bookmark (signin-4). */
export function AlreadySignedIn() {
  const message = signInErrorMessage(useSearch()) ?? ''
  const [, navigate] = useLocation()
  useEffect(() => {
    // The first sentence; the second says how to sign in.
    const [reason] = message.split(/(?<=\.) /)
    toast({ title: 'You are signed in', description: reason, name: 'signed-in-already' })
    navigate('/', { replace: true })
  }, [message, navigate])
  return null
}

/** The message for the `error` of a query string; null when there is none. */
export function signInErrorMessage(search: string): string | null {
  const code = new URLSearchParams(search).get('error')
  if (code === null) return null
  const [provider = '', failure = ''] = code.split('-')
  return (
    getOwn(messages, code) ??
    getOwn(providerMessages, failure)?.(getOwn(providers, provider) ?? 'The provider') ??
    'Signing in did not work. Please try again.'
  )
}

/** An own property only, because the key comes from the address. */
function getOwn<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Messages for a failed sign-in, by the `error` in the address. */
const messages: Record<string, string> = {
  'provider-unavailable': 'This sign-in method is not available right now.',
  'link-used': 'This sign-in link was used already. Send yourself a new one.',
  'link-expired': 'This sign-in link has expired. Send yourself a new one.',
  'link-unknown': 'This sign-in link is not valid. Send yourself a new one.',
  'not-invited':
    'There is no account or invitation for this sign-in, and this service takes no new ones. Please ask whoever runs it.',
  'invitation-needed':
    'There is no account for this sign-in, and a new one needs an invitation. Open the link of your invitation first, or ask whoever runs this service for one.',
  'invitation-over':
    'There is no account for this sign-in, and your invitation does not work any more: it was used, has expired or was revoked. Please ask for a new one.',
  suspended: 'This account is suspended. Nobody can sign in to it right now.',
  'too-many': 'Too many tries to sign in. Please wait a few minutes and try again.',
}

const providers: Record<string, string | undefined> = {
  google: 'Google',
  facebook: 'Facebook',
  replit: 'Replit',
  oidc: config.openIdName,
}

/** Failures between the server and a provider. */
const providerMessages: Record<string, (provider: string) => string> = {
  unreachable: (provider) =>
    `${provider} does not answer right now. Try again in a moment, or use another way to sign in.`,
  denied: (provider) =>
    `${provider} reports that sign-in was cancelled. Try again, or use another way to sign in.`,
  excluded: (provider) =>
    `${provider} lists you in no group that may sign in here. Please ask whoever runs this service.`,
  refused: (provider) => `${provider} could not confirm who you are. Please try again.`,
  stale: (provider) =>
    `Signing in with ${provider} took too long, or was started elsewhere. Please try again.`,
}
