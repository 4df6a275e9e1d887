import { type FormEvent, useId, useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { BIO_LENGTH, NAME_LENGTH } from '../../contract/profiles.ts'
import { Button } from '../ui/Button.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { draftOf, profileChange } from './profileChange.ts'
import { useUpdateProfile } from './useUpdateProfile.ts'

/** The form of the own profile. */
export function ProfileForm({ user }: { user: CurrentUser }) {
  const [draft, setDraft] = useState(() => draftOf(user))
  const saving = useUpdateProfile()
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })

  function save(event: FormEvent) {
    event.preventDefault()
    saving.mutate(profileChange(user, draft))
  }

  return (
    <form onSubmit={save} className="grid gap-4">
      <div className="grid grid-cols-2 gap-3">
        <NameField
          label="First name"
          name="given-name"
          value={draft.firstName}
          onChange={(firstName) => change({ firstName })}
        />
        <NameField
          label="Last name"
          name="family-name"
          value={draft.lastName}
          onChange={(lastName) => change({ lastName })}
        />
      </div>
      <BioField value={draft.bio} onChange={(bio) => change({ bio })} />
      <SwitchRow name="Public profile" on={draft.isPublic} onChange={(isPublic) => change({ isPublic })}>
        Publishes your name, photo, bio and music stats. Others can find and follow you.
      </SwitchRow>
      {user.email && (
        <SwitchRow
          name="Show my e-mail on my public profile"
          on={draft.showEmail}
          onChange={(showEmail) => change({ showEmail })}
        >
          {draft.isPublic ? 'Everybody who is signed in sees it.' : 'Only once your profile is public.'}
        </SwitchRow>
      )}
      <Button type="submit" variant="main" disabled={saving.isPending}>
        {saving.isPending ? 'Saving...' : 'Save'}
      </Button>
    </form>
  )
}

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

function NameField({ label, name, value, onChange }: FieldProps & { label: string; name: string }) {
  return (
    <label className="grid gap-1.5">
      <span className="font-semibold">{label}</span>
      <input
        dir="auto"
        name={name}
        autoComplete={name}
        maxLength={NAME_LENGTH}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${field} min-h-12`}
      />
    </label>
  )
}

function BioField({ value, onChange }: FieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold">
          Bio
        </label>
        <span id={`${id}-count`} className="text-xs text-ink-2 tabular-nums">
          {value.length}/{BIO_LENGTH} characters
        </span>
      </div>
      <textarea
        id={id}
        dir="auto"
        name="bio"
        rows={3}
        maxLength={BIO_LENGTH}
        aria-describedby={`${id}-count`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${field} resize-y`}
      />
    </div>
  )
}

const field =
  'w-full min-w-0 rounded-control border border-line-strong bg-surface px-3.5 py-2.5 text-base text-ink'
