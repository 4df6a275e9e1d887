import type { CurrentUser } from '../../contract/auth.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { MAX_BIO_LENGTH, MAX_NAME_LENGTH, type updateProfile } from '../../contract/profiles.ts'
import { charactersOf } from '../../contract/texts.ts'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { useUpdateProfile } from './useUpdateProfile.ts'

/** The values of the profile form. */
export interface ProfileDraft {
  firstName: string
  lastName: string
  bio: string
  isPublic: boolean
  showEmail: boolean
}

export interface ProfileFormProps {
  user: CurrentUser
  /** Unsaved edits, or null. The dialog has them, because the form unmounts while a list is shown. */
  draft: ProfileDraft | null
  onDraft: (draft: ProfileDraft) => void
}

/** The form of the own profile. */
export function ProfileForm({ user, draft: editedDraft, onDraft }: ProfileFormProps) {
  const draft = editedDraft ?? createDraft(user)
  const saving = useUpdateProfile()
  const change = (changedFields: Partial<ProfileDraft>) => onDraft({ ...draft, ...changedFields })

  return (
    <Form onSubmit={() => saving.mutate(buildProfileUpdate(user, draft))} className="grid gap-4">
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="First name"
          dir="auto"
          name="given-name"
          autoComplete="given-name"
          maxLength={MAX_NAME_LENGTH}
          value={draft.firstName}
          onChange={(firstName) => change({ firstName })}
        />
        <Field
          label="Last name"
          dir="auto"
          name="family-name"
          autoComplete="family-name"
          maxLength={MAX_NAME_LENGTH}
          value={draft.lastName}
          onChange={(lastName) => change({ lastName })}
        />
      </div>
      <Field
        label="Bio"
        note={`${charactersOf(draft.bio).length}/${MAX_BIO_LENGTH} characters`}
        dir="auto"
        name="bio"
        rows={3}
        value={draft.bio}
        // `maxLength` would count emoji twice.
        onChange={(bio) => change({ bio: charactersOf(bio).slice(0, MAX_BIO_LENGTH).join('') })}
      />
      <SwitchRow name="Public profile" isOn={draft.isPublic} onChange={(isPublic) => change({ isPublic })}>
        Publishes your name, photo, bio and music stats. Others can find and follow you.
      </SwitchRow>
      {user.email && (
        <SwitchRow
          name="Show my e-mail on my public profile"
          isOn={draft.showEmail}
          onChange={(showEmail) => change({ showEmail })}
        >
          {draft.isPublic ? 'Everybody who is signed in sees it.' : 'It shows once your profile is public.'}
        </SwitchRow>
      )}
      <SubmitButton className="" pending={saving.isPending} pendingText="Saving...">
        Save
      </SubmitButton>
    </Form>
  )
}

export function createDraft({ firstName, lastName, bio, isPublic, showEmail }: CurrentUser): ProfileDraft {
  return { firstName: firstName ?? '', lastName: lastName ?? '', bio: bio ?? '', isPublic, showEmail }
}

/** The body of the update: bio and isPublic always, others only when changed (people-7). */
export function buildProfileUpdate(user: CurrentUser, draft: ProfileDraft): BodyOf<typeof updateProfile> {
  const before = createDraft(user)
  const change: BodyOf<typeof updateProfile> = { bio: draft.bio, isPublic: draft.isPublic }
  if (draft.showEmail !== before.showEmail) change.showEmail = draft.showEmail
  if (draft.firstName.trim() !== before.firstName) change.firstName = draft.firstName.trim()
  if (draft.lastName.trim() !== before.lastName) change.lastName = draft.lastName.trim()
  return change
}
