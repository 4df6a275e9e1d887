import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getMyStats } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/currentUser.ts'
import { LogoutLink } from '../auth/LogoutLink.tsx'
import { initialOf } from '../profiles/displayName.tsx'
import { Avatar } from '../ui/art/Avatar.tsx'
import { ButtonTo, IconButton } from '../ui/controls/Button.tsx'
import { ChartNoAxesColumn, Disc3, type Icon, Library, UsersRound } from '../ui/icons.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { PageHeader, stickyHeader } from '../ui/page/Page.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { goTo, openDialog, type Section } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'

export function HomeHeader({ section }: { section: Section }) {
  const { user } = useCurrentUser()
  return (
    <PageHeader
      home={<Wordmark />}
      className={`${stickyHeader} flex-nowrap max-[21.875rem]:gap-x-0 max-[21.875rem]:pr-0 low:max-wide:*:first:hidden`}
    >
      <nav aria-label="Sections" className="hidden gap-1 wide:flex low:flex">
        {sections.map(({ id, name, key }) => (
          <button
            key={id}
            type="button"
            aria-current={section === id ? 'page' : undefined}
            aria-keyshortcuts={key}
            onClick={() => goTo({ section: id })}
            className="relative flex min-h-(--size-touch) items-center gap-2 rounded-control px-2 font-[550] whitespace-nowrap text-ink-2 after:absolute after:inset-x-2 after:bottom-1.5 after:h-0.5 hover:text-ink aria-[current]:text-ink aria-[current]:after:bg-ink large:px-3 large:after:inset-x-3 forced-colors:after:forced-color-adjust-none forced-colors:aria-[current]:after:bg-[Highlight]"
          >
            {name}
            <Kbd isHint className="min-w-0! border-transparent px-0! opacity-75 max-roomy:hidden!">
              {key}
            </Kbd>
          </button>
        ))}
      </nav>
      <div className="ml-auto flex min-w-0 items-center wide:gap-1.5">
        <BangersCounter />
        <IconButton
          label="Discover Music Explorers"
          className="flex-none"
          onClick={() => openDialog('people')}
        >
          <UsersRound />
        </IconButton>
        <IconButton label="Your profile" className="flex-none" onClick={() => openDialog('profile')}>
          <Avatar image={user?.profileImageUrl ?? null} letter={user ? initialOf(user) : ''} />
        </IconButton>
        <LogoutLink />
      </div>
    </PageHeader>
  )
}

/**
 * The number of bangers after its label, which does not bend with it, linked to the profile page. Two lines where there
 * is little width.
 */
function BangersCounter() {
  const { data, isError } = useQuery(query(getMyStats))
  const hasLoadFailed = isError && !data
  // The counter has no room for an error; the profile page that it links to offers a retry.
  useEffect(() => {
    if (hasLoadFailed) toast.error('Your bangers could not be counted.')
  }, [hasLoadFailed])
  return (
    <ButtonTo
      to="/profile"
      variant="bare"
      className="min-w-(--size-touch) px-2! text-xs font-[550]! text-ink-2! max-wide:flex-col-reverse max-wide:gap-0! max-wide:leading-none wide:px-3! wide:text-sm"
    >
      <span className="wide:max-roomy:sr-only max-[23.375rem]:sr-only">Bangers</span>{' '}
      <b className="font-display text-[1.0625rem] font-extrabold text-hot tabular-nums font-stretch-125%">
        {data ? data.totalBangers.toLocaleString() : '–'}
      </b>
    </ButtonTo>
  )
}

/** The sections of the main screen: names in the header and bottom navigation, and their keys. */
export const sections: readonly {
  id: Section
  name: string
  short: string
  key: string
  icon: Icon
}[] = [
  { id: 'discover', name: 'Discover', short: 'Discover', key: '1', icon: Disc3 },
  { id: 'library', name: 'My Library', short: 'Library', key: '2', icon: Library },
  { id: 'community', name: 'Community', short: 'Community', key: '3', icon: ChartNoAxesColumn },
]
