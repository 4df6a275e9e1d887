import { describe, expect, test } from 'vitest'
import type { CurrentUser } from '../../contract/auth.ts'
import { buildProfileUpdate, createDraft } from './ProfileForm.tsx'

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
  earFirst: false,
  songChoice: 'both',
  createdAt: '2026-01-01T00:00:00Z',
  followerCount: 0,
  followingCount: 0,
}

describe('the update of a profile', () => {
  test('only bio and isPublic when nothing else was changed (people-7)', () => {
    const draft = { ...createDraft(mina), bio: 'Hello', isPublic: true }
    expect(buildProfileUpdate(mina, draft)).toEqual({ bio: 'Hello', isPublic: true })
    expect(buildProfileUpdate(mina, createDraft(mina))).toEqual({ bio: '', isPublic: false })
  })

  test('another field only when its control was changed (people-3)', () => {
    const draft = { ...createDraft(mina), showEmail: true, firstName: ' Mina ', lastName: ' Okafor ' }
    expect(buildProfileUpdate(mina, draft)).toEqual({
      bio: '',
      isPublic: false,
      showEmail: true,
      lastName: 'Okafor',
    })
    expect(buildProfileUpdate(mina, { ...createDraft(mina), firstName: '' })).toEqual({
      bio: '',
      isPublic: false,
      firstName: '',
    })
  })
})
