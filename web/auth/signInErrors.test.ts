import { expect, test } from 'vitest'
import { signInError } from './signInErrors.ts'

test('has a message for every error (signin-9, signin-6)', () => {
  expect(signInError('')).toBeNull()
  expect(signInError('?error=provider-unavailable')).toBe('This sign-in method is not available right now.')
  expect(signInError('?error=link-used')).toMatch(/used already/)
  expect(signInError('?error=link-expired')).toMatch(/expired/)
  expect(signInError('?error=link-unknown')).toMatch(/not valid/)
  expect(signInError('?error=not-invited')).toMatch(/^There is no account or invitation for this sign-in/)
  expect(signInError('?error=suspended')).toMatch(/suspended/)
  expect(signInError('?error=too-many')).toMatch(/wait a few minutes/)
})

test('names the provider that failed', () => {
  expect(signInError('?error=google-unreachable')).toMatch(/^Google does not answer right now/)
  expect(signInError('?error=facebook-denied')).toMatch(/^Facebook reports that sign-in was cancelled/)
  expect(signInError('?error=replit-refused')).toMatch(/^Replit could not confirm who you are/)
  expect(signInError('?error=google-stale')).toMatch(/^Signing in with Google took too long/)
  // Without the configuration of a page.
  expect(signInError('?error=oidc-excluded')).toMatch(/^The provider lists you in no group that may sign in/)
})

test.each(['constructor', 'google-constructor', 'google', '-', '', '<script>'])(
  'an error that nobody gave, %s, says that it did not work',
  (code) => {
    expect(signInError(`?error=${encodeURIComponent(code)}`)).toBe(
      'Signing in did not work. Please try again.',
    )
  },
)

test('does not name an unknown provider', () => {
  expect(signInError('?error=constructor-denied')).toMatch(/^The provider reports/)
})
