import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getMyStats } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { refreshCurrentUser, useCurrentUser } from '../auth/currentUser.ts'
import { logoutProps } from '../auth/LogoutLink.tsx'
import { ButtonTo, buttonClasses } from '../ui/controls/Button.tsx'
import { BackButton } from '../ui/dialogs/BackButton.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import {
  closeDetail,
  getOpenerList,
  openDialog,
  type ProfileList,
  type ScreenParams,
  useScreenParams,
} from '../ui/screenParams.ts'
import { ChangePhoto } from './ChangePhoto.tsx'
import { FollowList } from './FollowList.tsx'
import { OthersProfile } from './OthersProfile.tsx'
import { PeopleList } from './PeopleList.tsx'
import { type ProfileDraft, ProfileForm, type ProfileFormProps } from './ProfileForm.tsx'
import { type ProfileListLinks, ProfileView } from './ProfileView.tsx'
import { removePeopleLists } from './peopleCache.ts'

/** Shows one at a time: the listeners with a public profile, a profile, or one of its follow lists. */
export function PeopleDialog({ open, onOpenChange }: OpenState) {
  const { dialog, listener, list } = useScreenParams()
  const isProfile = dialog === 'profile' || listener !== null
  const title = isProfile ? 'Profile' : 'Discover Music Explorers'
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={list ? listTitles[list] : title}
      width="36rem"
      tall
    >
      <PeoplePages />
    </Dialog>
  )
}

const listTitles = { followers: 'Followers', following: 'Following' } satisfies Record<ProfileList, string>

/** A page of the dialog: the people (no listener), a profile, or one of its follow lists. */
type PeoplePage = Pick<ScreenParams, 'listener' | 'list'>

function PeoplePages() {
  const { user } = useCurrentUser()
  const { dialog, list, listener: shownListener } = useScreenParams()
  const listener = dialog === 'profile' ? (user?.id ?? null) : shownListener
  const [{ previousPage }, resetHistory] = usePageHistory({ listener, list })
  const [searchText, setSearchText] = useState('')
  const [draft, setDraft] = useState<ProfileDraft | null>(null)
  const queryClient = useQueryClient()
  // While the dialog is open its lists keep their order. When it closes they are dropped, and fetched again next time.
  useEffect(() => () => removePeopleLists(queryClient), [queryClient])
  const choose = (id: string) => openDialog('people', { listener: id })
  // The dialog is closing.
  if (dialog !== 'people' && dialog !== 'profile') return null
  if (dialog === 'people' && listener === null) {
    return (
      <PeopleList
        searchText={searchText}
        onSearch={(text) => {
          setSearchText(text)
          resetHistory({ listener, list })
        }}
        onChoose={choose}
        lastViewedId={previousPage?.listener ?? null}
      />
    )
  }
  if (listener === null) return null
  if (list !== null) {
    return (
      <>
        <BackButton key="list" onBack={() => closeDetail('list')}>
          Profile
        </BackButton>
        <FollowList
          key={`${listener} ${list}`}
          id={listener}
          list={list}
          onChoose={choose}
          lastViewedId={previousPage?.listener ?? null}
        />
      </>
    )
  }
  const originList = getOpenerList()
  const listLinks = {
    onOpenList: (targetList: ProfileList) =>
      openDialog(dialog, { listener: shownListener, list: targetList }),
    lastViewedList: previousPage?.listener === listener ? previousPage.list : null,
  }
  return (
    <>
      {dialog === 'people' && (
        <BackButton key={`back ${listener}`} onBack={() => closeDetail('listener')}>
          {originList ? listTitles[originList] : 'All explorers'}
        </BackButton>
      )}
      {user?.id === listener ? (
        <OwnProfile user={user} draft={draft} onDraft={setDraft} {...listLinks} />
      ) : (
        <OthersProfile key={listener} id={listener} {...listLinks} />
      )}
    </>
  )
}

/**
 * The current page and the one before it, whose row or count gets the focus back. The returned function forgets the one
 * before.
 */
function usePageHistory(page: PeoplePage) {
  const [history, setHistory] = useState<{ currentPage: PeoplePage; previousPage: PeoplePage | null }>({
    currentPage: page,
    previousPage: null,
  })
  if (history.currentPage.listener !== page.listener || history.currentPage.list !== page.list)
    setHistory({ currentPage: page, previousPage: history.currentPage })
  return [history, (currentPage: PeoplePage) => setHistory({ currentPage, previousPage: null })] as const
}

function OwnProfile({ user, draft, onDraft, ...listLinks }: ProfileFormProps & ProfileListLinks) {
  const stats = useQuery(query(getMyStats))
  const [isPhotoOpen, setPhotoOpen] = useState(false)
  // Follower counts may have changed.
  useEffect(() => void refreshCurrentUser(), [])
  return (
    <ProfileView
      profile={user}
      stats={stats}
      action={<ChangePhoto user={user} open={isPhotoOpen} onOpenChange={setPhotoOpen} />}
      {...listLinks}
    >
      <ProfileForm user={user} draft={draft} onDraft={onDraft} />
      <div className="flex flex-wrap gap-2">
        <ButtonTo to="/profile">Settings, sign-ins and data</ButtonTo>
        {/* On wider screens the header has it. */}
        <a {...logoutProps} className={buttonClasses({ className: 'wide:hidden' })}>
          Logout
        </a>
      </div>
    </ProfileView>
  )
}
