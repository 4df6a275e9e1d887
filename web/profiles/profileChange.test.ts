import { describe, expect, test } from 'vitest'
import type { CurrentUser } from '../../contract/auth.ts'
import { draftOf, profileChange } from './profileChange.ts'

const mina: CurrentUser = {
  id: '1',
  firstName: 'Mina',
  lastName: null,
  email: 'mina@example.org',
  profileImageUrl: null,
  bio: null,
  isPublic: false,
  showEmail: false,
  emailOptOut: false,
  startAtHook: false,
  songChoice: 'both',
  createdAt: '2026-01-01T00:00:00Z',
  followerCount: 0,
  followingCount: 0,
}

describe('profileChange', () => {
  test('only bio and isPublic when nothing else was changed (people-7)', () => {
    const draft = { ...draftOf(mina), bio: 'Hello', isPublic: true }
    expect(profileChange(mina, draft)).toEqual({ bio: 'Hello', isPublic: true })
    expect(profileChange(mina, draftOf(mina))).toEqual({ bio: '', isPublic: false })
  })

  test('another field only when its control was changed (people-3)', () => {
    const draft = { ...draftOf(mina), showEmail: true, firstName: ' Mina ', lastName: ' Okafor ' }
    expect(profileChange(mina, draft)).toEqual({
      bio: '',
      isPublic: false,
      showEmail: true,
      lastName: 'Okafor',
    })
    expect(profileChange(mina, { ...draftOf(mina), firstName: '' })).toEqual({
      bio: '',
      isPublic: false,
      firstName: '',
    })
  })
})
