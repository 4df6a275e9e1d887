/** What a sign-in that failed on the way says, by the `error` in the address it comes back to. */
const messages: Record<string, string> = {
  'provider-unavailable': 'This sign-in method is not available right now.',
  'link-used': 'This sign-in link was used already. Send yourself a new one.',
  'link-expired': 'This sign-in link has expired. Send yourself a new one.',
  'link-unknown': 'This sign-in link is not valid. Send yourself a new one.',
}

/** Words for the `error` of a query string; null when there is none. */
export function signInError(search: string): string | null {
  const code = new URLSearchParams(search).get('error')
  if (code === null) return null
  return Object.hasOwn(messages, code)
    ? (messages[code] ?? null)
    : 'Signing in did not work. Please try again.'
}
