import type { ReactNode } from 'react'
import type { FollowListEntry, Person } from '../../contract/profiles.ts'
import { Avatar } from '../ui/art/Avatar.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { EyeOff } from '../ui/laterIcons.ts'
import { displayName, EmailText, initialOf } from './displayName.tsx'
import { FollowButton } from './FollowButton.tsx'
import { followNoun } from './ProfileView.tsx'

interface PersonRowProps {
  person: Person
  /** The listener's own row has no button to follow. */
  isMe?: boolean
  onChoose: () => void
  takesFocus: boolean
}

/** A listener in a list. Pressing the row opens the profile. */
export function PersonRow({ person, isMe = false, onChoose, takesFocus }: PersonRowProps) {
  const name = displayName(person)
  return (
    <li className={rowClasses}>
      <button
        ref={takesFocus ? focusElement : undefined}
        type="button"
        onClick={onChoose}
        className={`${personClasses} hover:bg-raised focus-visible:-outline-offset-2`}
      >
        <Avatar
          image={person.profileImageUrl}
          letter={initialOf(person)}
          className="size-11 bg-raised text-lg"
        />
        <PersonText name={<bdi>{name}</bdi>}>
          {person.bio && (
            <span className="line-clamp-2 text-xs text-ink-2 wrap-anywhere">
              <bdi>{person.bio}</bdi>
            </span>
          )}
          {person.email && (
            <span className="text-xs text-ink-3 wrap-anywhere">
              <EmailText>{person.email}</EmailText>
            </span>
          )}
          <span className="text-xs text-ink-2 tabular-nums">
            {`${person.followerCount.toLocaleString()} ${followNoun('followers', person.followerCount)}`}
          </span>
        </PersonText>
      </button>
      {isMe ? (
        <span className="text-xs font-semibold text-ink-2">You</span>
      ) : (
        <FollowButton id={person.id} name={name} isFollowing={person.isFollowing} isInList />
      )}
    </li>
  )
}

/** A followed listener who is private now: no name, only a button to unfollow (people-27). */
export function PrivatePersonRow({ follow: { id, isFollowing, followedAt } }: { follow: FollowListEntry }) {
  return (
    <li className={rowClasses}>
      <div className={personClasses}>
        <span className="grid size-11 flex-none place-items-center rounded-full border border-line text-ink-3">
          <EyeOff />
        </span>
        <PersonText name="Private listener">
          {followedAt && <span className="text-xs text-ink-2">Followed on {formatDate(followedAt)}</span>}
        </PersonText>
      </div>
      <FollowButton
        id={id}
        name="a private listener"
        isFollowing={isFollowing}
        // A private listener cannot be followed again (people-9).
        enabled={isFollowing}
        isInList
      />
    </li>
  )
}

function PersonText({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <span className="grid min-w-0 flex-1">
      <b dir="auto" className="line-clamp-3 text-left font-semibold wrap-anywhere">
        {name}
      </b>
      {children}
    </span>
  )
}

/** The button to follow stands below the text where there is little room beside it. */
const rowClasses = 'flex flex-wrap items-center justify-end gap-x-3 border-b border-line py-2'
const personClasses = 'flex min-h-12 min-w-0 flex-1 basis-52 items-center gap-3 text-left'
