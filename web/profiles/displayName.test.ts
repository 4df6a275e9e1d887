import { describe, expect, test } from 'vitest'
import { displayName, initialOf, ownDisplayName } from './displayName.tsx'

const nobody = { firstName: null, lastName: null, email: null }

describe('names', () => {
  test('first and last name joined, or Music Explorer (people-4)', () => {
    expect(displayName({ firstName: 'Mina', lastName: 'Okafor' })).toBe('Mina Okafor')
    expect(displayName({ firstName: '', lastName: ' Okafor ' })).toBe('Okafor')
    expect(displayName(nobody)).toBe('Music Explorer')
  })

  test("one's own page falls back to the e-mail (people-4)", () => {
    expect(ownDisplayName({ ...nobody, email: 'zed@x.org' })).toBe('zed@x.org')
    expect(ownDisplayName({ ...nobody, firstName: 'Zed', email: 'zed@x.org' })).toBe('Zed')
  })

  test('the first letter of first name or e-mail (people-12)', () => {
    expect(initialOf({ ...nobody, firstName: 'élo' })).toBe('É')
    expect(initialOf({ ...nobody, email: 'zed@x.org' })).toBe('Z')
    expect(initialOf({ ...nobody, firstName: '😀x' })).toBe('😀')
    expect(initialOf(nobody)).toBe('M')
  })
})
