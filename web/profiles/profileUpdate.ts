import type { CurrentUser } from '../../contract/auth.ts'
import type { Body } from '../../contract/endpoint.ts'
import type { updateProfile } from '../../contract/profiles.ts'

/** The values of the profile form. */
export interface ProfileDraft {
  firstName: string
  lastName: string
  bio: string
  isPublic: boolean
  showEmail: boolean
}

export function createDraft({ firstName, lastName, bio, isPublic, showEmail }: CurrentUser): ProfileDraft {
  return { firstName: firstName ?? '', lastName: lastName ?? '', bio: bio ?? '', isPublic, showEmail }
}

/** The body of the update: bio and isPublic always, others only when changed (people-7). */
export function buildProfileUpdate(user: CurrentUser, draft: ProfileDraft): Body<typeof updateProfile> {
  const before = createDraft(user)
  const change: Body<typeof updateProfile> = { bio: draft.bio, isPublic: draft.isPublic }
  if (draft.showEmail !== before.showEmail) change.showEmail = draft.showEmail
  if (draft.firstName.trim() !== before.firstName) change.firstName = draft.firstName.trim()
  if (draft.lastName.trim() !== before.lastName) change.lastName = draft.lastName.trim()
  return change
}
