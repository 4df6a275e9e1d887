import { expect, test } from 'vitest'
import { signInError } from './signInErrors.ts'

test('says in words what went wrong (D-09, D-13)', () => {
  expect(signInError('')).toBeNull()
  expect(signInError('?error=provider-unavailable')).toBe('This sign-in method is not available right now.')
  expect(signInError('?error=link-used')).toMatch(/used already/)
  expect(signInError('?error=link-expired')).toMatch(/expired/)
  expect(signInError('?error=link-unknown')).toMatch(/not valid/)
  expect(signInError('?error=constructor')).toBe('Signing in did not work. Please try again.')
})
