import { expect, test } from 'vitest'
import { maskEmail } from './maskEmail.ts'

/* signin-9 */

test.each([
  ['jane@example.org', 'j…e@example.org'],
  ['ada@example.org', 'a…a@example.org'],
  ['al@example.org', 'a…@example.org'],
  ['x@example.org', '…@example.org'],
  ['jane@xn--mller-kva.example', 'j…e@müller.example'],
])('%s becomes %s', (address, masked) => {
  expect(maskEmail(address)).toBe(masked)
})
