import { useQuery } from '@tanstack/react-query'
import type { CurrentUser, SignedInUser } from '../../contract/auth.ts'
import { type Agreement, getAgreement, getMyStats } from '../../contract/profiles.ts'
import { useAchievements } from '../achievements/useAchievements.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/currentUser.ts'
import { LogoutLink } from '../auth/LogoutLink.tsx'
import { YourPasskeys } from '../auth/YourPasskeys.tsx'
import { YourSessions } from '../auth/YourSessions.tsx'
import { useHasPainted } from '../ui/afterPaint.ts'
import { Avatar } from '../ui/art/Avatar.tsx'
import { Button, ButtonTo } from '../ui/controls/Button.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { Pencil } from '../ui/laterIcons.ts'
import { Figure, Figures } from '../ui/page/Figures.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { PageBesideVideo } from '../ui/page/PageBesideVideo.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { ChangePhoto } from './ChangePhoto.tsx'
import { EmailText, initialOf, ownDisplayName } from './displayName.tsx'
import { ProfileTabs } from './ProfileTabs.tsx'
import { LONG_NAME_LENGTH } from './ProfileView.tsx'
import { SongSettings } from './SongSettings.tsx'
import { useUpdateProfile } from './useUpdateProfile.ts'
import { YourData } from './YourData.tsx'
import './profile.css'

const PeopleDialog = lazyDialog(async () => (await import('./PeopleDialog.tsx')).PeopleDialog)

/** The own profile page: name, figures, ratings and data. */
export function ProfilePage() {
  usePageTitle('Profile')
  const { user } = useCurrentUser()
  return (
    <PageBesideVideo id="profile" header={<LogoutLink />}>
      {user && <Profile user={user} />}
    </PageBesideVideo>
  )
}

function Profile({ user }: { user: SignedInUser }) {
  // The list is painted first, the rest a moment later.
  const isPainted = useHasPainted()
  const ownName = ownDisplayName(user)
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4 pb-8">
        <Avatar
          image={user.profileImageUrl}
          letter={initialOf(user)}
          className="size-20 border-0 bg-ink text-[2.25rem] text-paper wide:size-24 wide:text-[2.5rem]"
        />
        <div className="grid flex-[1_1_min(20rem,100%-7rem)] gap-1">
          <h1
            dir="auto"
            className={`text-left wrap-anywhere ${ownName.length > LONG_NAME_LENGTH ? 'font-text text-sm roomy:text-lg' : ownName.length > LONG_NAME_LENGTH / 2 ? 'text-lg' : ''}`}
          >
            <EmailText>{ownName}</EmailText>
          </h1>
          <p className="text-ink-2">
            Music discoverer since {isPainted && formatDate(user.createdAt, 'long')}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ChangePhoto user={user} {...useDialog('photo')} />
          <Button onClick={() => openDialog('profile')}>
            <Pencil />
            Edit profile
          </Button>
          <PeopleDialog {...useDialog('people', 'profile')} />
          {user.isSteward && <ButtonTo to="/desk">The desk</ButtonTo>}
        </div>
      </div>
      <ProfileFigures />
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-16 railed:grid-cols-[minmax(0,1fr)_var(--dock-w)] railed:gap-x-10">
        <div>
          <ProfileTabs />
        </div>
        {isPainted && (
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-12">
            <AgreementChart />
            <YourSessions />
            <YourPasskeys />
            <ListeningSettings user={user} />
            <YourData user={user} />
          </div>
        )}
      </div>
    </div>
  )
}

/** Which songs Discover deals (discover-70), and where they start (playback-62). */
function ListeningSettings({ user: { startAtHook } }: { user: CurrentUser }) {
  const saving = useUpdateProfile()
  return (
    <section aria-labelledby="listening" className="grid gap-4 border-t border-line pt-6">
      <h2 id="listening">Listening</h2>
      <SongSettings />
      <SwitchRow
        name="Begin at the hook"
        isOn={saving.isPending ? Boolean(saving.variables?.startAtHook) : startAtHook}
        onChange={(on) => saving.mutate({ startAtHook: on })}
      >
        On Discover, videos start about a third into the song. Previews, and songs that you choose yourself,
        start at the beginning.
      </SwitchRow>
    </section>
  )
}

/** The listener's figures (people-13). Their space is reserved until they load. */
function ProfileFigures() {
  const { data, isError, refetch } = useQuery(query(getMyStats))
  const achievements = useAchievements()
  if (!data) {
    return (
      <div className="grid min-h-[9.75rem] content-center border-y border-line wide:min-h-[6.0625rem]">
        {isError && <LoadFailure onRetry={refetch}>Your numbers did not load.</LoadFailure>}
      </div>
    )
  }
  return (
    <Figures>
      <Figure name="Bangers Found" tone="text-hot">
        {data.totalBangers.toLocaleString()}
      </Figure>
      <Figure name="Busts Avoided">{(data.totalRatings - data.totalBangers).toLocaleString()}</Figure>
      <Figure name="Songs Rated">{data.totalRatings.toLocaleString()}</Figure>
      <Figure name="Achievements">
        {achievements.data?.length.toLocaleString() ?? (achievements.isError ? 'Not loaded' : '–')}
      </Figure>
    </Figures>
  )
}

/** How often the listener agrees with the majority, by month (people-30). Empty, it takes no room for a chart. */
function AgreementChart() {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { data, isError, refetch } = useQuery(query(getAgreement, { query: { tz } }))
  return (
    <section
      aria-label="You and the room"
      className={`grid content-start gap-3 ${data?.length === 0 ? '' : 'min-h-60'}`}
    >
      <h2>You and the room</h2>
      {data ? (
        <>
          <p className="text-ink-2">{summarizeAgreement(data)}</p>
          {data.length > 0 && (
            <ol className="flex h-32 gap-0.5 text-center text-2xs text-ink-2 tabular-nums">
              {data.map((month) => (
                <MonthBar key={month.month} {...month} />
              ))}
            </ol>
          )}
        </>
      ) : (
        isError && <LoadFailure onRetry={refetch}>You and the room did not load.</LoadFailure>
      )}
    </section>
  )
}

function MonthBar({ month, songs, agreed }: Agreement) {
  const name = new Date(`${month}-01T12:00Z`)
  const percent = Math.floor((100 * agreed) / songs)
  return (
    <li className="relative flex max-w-10 min-w-0 flex-1 flex-col justify-end">
      <span className="sr-only">{`${name.toLocaleString([], MONTH_AND_YEAR)}: ${agreed.toLocaleString()} of ${songs.toLocaleString()}`}</span>
      <span aria-hidden="true">{percent}</span>
      <span
        aria-hidden="true"
        className="h-[calc((100%-2rem)*var(--part))] min-h-px rounded-[1px] bg-ink-3"
        style={{ '--part': percent / 100 }}
      />
      <span aria-hidden="true">{name.toLocaleString([], { month: 'narrow', timeZone: 'UTC' })}</span>
    </li>
  )
}

const MONTH_AND_YEAR = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const

function summarizeAgreement(months: Agreement[]): string {
  if (months.length === 0) return 'Rate songs that others have rated, too: here you see how often you agree.'
  const songs = months.reduce((sum, month) => sum + month.songs, 0)
  const agreed = months.reduce((sum, month) => sum + month.agreed, 0)
  return `You agreed with most listeners on ${agreed.toLocaleString()} of ${songs.toLocaleString()} songs, by month in per cent:`
}
