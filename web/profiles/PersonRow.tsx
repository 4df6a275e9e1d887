import type { Profile } from '../../contract/profiles.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { useFocusOnMount } from '../ui/useFocusOnMount.ts'
import { displayName, initialOf } from './displayName.ts'

interface PersonRowProps {
  person: Profile
  onChoose: () => void
  takesFocus: boolean
}

/** One listener in the list; pressing the row shows the profile. */
export function PersonRow({ person, onChoose, takesFocus }: PersonRowProps) {
  const row = useFocusOnMount<HTMLButtonElement>(takesFocus)
  const name = displayName(person)
  return (
    <li className="border-b border-line">
      <button
        ref={row}
        type="button"
        onClick={onChoose}
        className="flex min-h-16 w-full items-center gap-3.5 py-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <Avatar
          image={person.profileImageUrl}
          letter={initialOf(person)}
          className="size-11 bg-raised text-lg"
        />
        <span className="grid min-w-0 flex-1">
          <b className="font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
          </b>
          {person.bio && (
            <span className="line-clamp-2 text-xs text-ink-2 wrap-anywhere">
              <bdi>{person.bio}</bdi>
            </span>
          )}
          {person.email && <span className="text-xs text-ink-3 wrap-anywhere">{person.email}</span>}
        </span>
        <span className="flex-none text-xs text-ink-2 tabular-nums">
          {person.followerCount.toLocaleString()} followers
        </span>
      </button>
    </li>
  )
}
