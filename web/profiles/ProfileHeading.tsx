import type { ReactNode } from 'react'
import type { Profile } from '../../contract/profiles.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { displayName, initialOf } from './displayName.ts'

interface ProfileHeadingProps {
  profile: Pick<
    Profile,
    'firstName' | 'lastName' | 'email' | 'profileImageUrl' | 'followerCount' | 'followingCount'
  >
  /** Actions, such as following. */
  children?: ReactNode
}

/** Picture, name, e-mail where shown, and follow counts. */
export function ProfileHeading({ profile, children }: ProfileHeadingProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Avatar
          image={profile.profileImageUrl}
          letter={initialOf(profile)}
          className="size-18 border-0 bg-ink text-[1.75rem] text-paper"
        />
        <div className="grid min-w-36 flex-1 gap-1 text-left wrap-break-word">
          <p
            dir="auto"
            className="min-w-0 text-left font-display text-base font-bold wide:text-lg wide:font-stretch-(--width-heading)"
          >
            {displayName(profile)}
          </p>
          {profile.email && <p className="min-w-0 text-xs text-ink-2 wrap-anywhere">{profile.email}</p>}
        </div>
        {children}
      </div>
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        <Count of={profile.followerCount} name="followers" />
        <Count of={profile.followingCount} name="following" />
      </p>
    </>
  )
}

function Count({ of, name }: { of: number; name: string }) {
  return (
    <span className="text-ink-2">
      <b className="font-bold text-ink tabular-nums">{of.toLocaleString()}</b> {name}
    </span>
  )
}
