import type { ReactNode } from 'react'
import type { ListenerStats, Profile } from '../../contract/profiles.ts'
import { Avatar } from '../ui/art/Avatar.tsx'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import type { ProfileList } from '../ui/screenParams.ts'
import { displayName, EmailText, initialOf } from './displayName.tsx'

/** How a profile opens its follow lists. */
export interface ProfileListLinks {
  onOpenList: (list: ProfileList) => void
  /** The list that was just viewed: the focus returns to its count. */
  lastViewedList: ProfileList | null
}

/** Characters. A longer name is set smaller, in a row of its own. */
export const LONG_NAME_LENGTH = 40

interface ProfileViewProps extends ProfileListLinks {
  profile: Pick<
    Profile,
    'firstName' | 'lastName' | 'email' | 'profileImageUrl' | 'followerCount' | 'followingCount'
  >
  stats: { data: ListenerStats | undefined; isError: boolean; refetch: () => unknown }
  /** Beside the name: buttons for the photo, or to follow. */
  action: ReactNode
  /** The bio, or the form that edits it. */
  children: ReactNode
}

/** A listener's profile in the dialog, the own one or another's (people-5). */
export function ProfileView({ profile, stats, action, children, ...listLinks }: ProfileViewProps) {
  const name = displayName(profile)
  const isLong = name.length > LONG_NAME_LENGTH
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Avatar
          image={profile.profileImageUrl}
          letter={initialOf(profile)}
          className="size-18 border-0 bg-ink text-[1.75rem] text-paper"
        />
        <div className={`grid min-w-36 flex-1 gap-1 wrap-anywhere ${isLong ? 'basis-full' : ''}`}>
          <p
            dir="auto"
            className={`text-left font-bold ${isLong ? 'font-text text-xs wide:text-sm' : 'font-display text-base wide:text-lg wide:font-stretch-(--width-heading)'}`}
          >
            {name}
          </p>
          {profile.email && (
            <p className="text-xs text-ink-2">
              <EmailText>{profile.email}</EmailText>
            </p>
          )}
        </div>
        {action}
      </div>
      <div className="-my-2 flex flex-wrap gap-x-6">
        <FollowCount list="followers" count={profile.followerCount} {...listLinks} />
        <FollowCount list="following" count={profile.followingCount} {...listLinks} />
      </div>
      <MusicStats stats={stats} />
      {children}
    </>
  )
}

/** 'follower', 'followers' or 'following'. */
export const followNoun = (list: ProfileList, count: number): string =>
  list === 'followers' && count === 1 ? 'follower' : list

/** A count that opens its list (people-26). */
function FollowCount({
  list,
  count,
  onOpenList,
  lastViewedList,
}: { list: ProfileList; count: number } & ProfileListLinks) {
  return (
    <button
      ref={list === lastViewedList ? focusElement : undefined}
      type="button"
      onClick={() => onOpenList(list)}
      className="min-h-(--size-touch) text-ink-2 hover:underline"
    >
      <b className="font-bold text-ink tabular-nums">{count.toLocaleString()}</b> {followNoun(list, count)}
    </button>
  )
}

/** A listener's totals and the microgenre with most of their bangers. */
function MusicStats({ stats: { data, isError, refetch } }: Pick<ProfileViewProps, 'stats'>) {
  return (
    <section aria-label="Music Stats" className="grid gap-2">
      <h3>Music Stats</h3>
      {isError && !data ? (
        <LoadFailure onRetry={refetch}>The music stats did not load.</LoadFailure>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] border-y border-line wide:grid-cols-[auto_auto_minmax(0,1fr)]">
          <Stat name="Bangers" tone="text-hot text-[1.625rem]/8">
            {data?.totalBangers.toLocaleString() ?? '–'}
          </Stat>
          <Stat name="Songs rated" tone="text-[1.625rem]/8">
            {data?.totalRatings.toLocaleString() ?? '–'}
          </Stat>
          <Stat
            name="Favourite"
            tone="text-[1.125rem]/8 wrap-break-word"
            className="max-wide:col-span-2 max-wide:border-t max-wide:border-l-0 max-wide:pl-0"
          >
            {data ? (data.favoriteMicrogenre ?? 'None yet') : '–'}
          </Stat>
        </dl>
      )}
    </section>
  )
}

interface StatProps {
  name: string
  tone: string
  className?: string
  children: ReactNode
}

function Stat({ name, tone, className = '', children }: StatProps) {
  return (
    <div
      className={`flex flex-col-reverse border-l border-line py-2 pr-4 pl-4 first:border-l-0 first:pl-0 ${className}`}
    >
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className={`font-display font-extrabold tabular-nums font-stretch-115% ${tone}`}>{children}</dd>
    </div>
  )
}
