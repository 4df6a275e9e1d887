import { expect, test } from 'vitest'
import { signInErrorMessage } from './SignInError.tsx'

test('has a message for every error (signin-9, signin-6)', () => {
  expect(signInErrorMessage('')).toBeNull()
  expect(signInErrorMessage('?error=provider-unavailable')).toBe(
    'This sign-in method is not available right now.',
  )
  expect(signInErrorMessage('?error=link-used')).toMatch(/used already/)
  expect(signInErrorMessage('?error=link-expired')).toMatch(/expired/)
  expect(signInErrorMessage('?error=link-unknown')).toMatch(/not valid/)
  expect(signInErrorMessage('?error=not-invited')).toMatch(
    /^There is no account or invitation for this sign-in/,
  )
  expect(signInErrorMessage('?error=suspended')).toMatch(/suspended/)
  expect(signInErrorMessage('?error=too-many')).toMatch(/wait a few minutes/)
})

test('names the provider that failed', () => {
  expect(signInErrorMessage('?error=google-unreachable')).toMatch(/^Google does not answer right now/)
  expect(signInErrorMessage('?error=facebook-denied')).toMatch(/^Facebook reports that sign-in was cancelled/)
  expect(signInErrorMessage('?error=replit-refused')).toMatch(/^Replit could not confirm who you are/)
  expect(signInErrorMessage('?error=google-stale')).toMatch(/^Signing in with Google took too long/)
  // Without the configuration of a page.
  expect(signInErrorMessage('?error=oidc-excluded')).toMatch(
    /^The provider lists you in no group that may sign in/,
  )
})

test.each(['constructor', 'google-constructor', 'google', '-', '', '<script>'])(
  'an error that nobody gave, %s, says that it did not work',
  (code) => {
    expect(signInErrorMessage(`?error=${encodeURIComponent(code)}`)).toBe(
      'Signing in did not work. Please try again.',
    )
  },
)

test('does not name an unknown provider', () => {
  expect(signInErrorMessage('?error=constructor-denied')).toMatch(/^The provider reports/)
})
