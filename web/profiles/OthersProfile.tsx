import { useQuery } from '@tanstack/react-query'
import { getFollowStatus, getProfile, getUserStats, type Profile } from '../../contract/profiles.ts'
import { ApiError } from '../api/ApiError.ts'
import { query } from '../api/query.ts'
import { ReportButton } from '../reports/ReportButton.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { displayName } from './displayName.tsx'
import { FollowButton } from './FollowButton.tsx'
import { type ProfileListLinks, ProfileView } from './ProfileView.tsx'

/** Another listener's profile. Fetched whenever it opens, because it may have changed or gone private. */
export function OthersProfile({ id, ...listLinks }: { id: string } & ProfileListLinks) {
  const { data, error, refetch } = useQuery({ ...query(getProfile, { params: { id } }), staleTime: 0 })
  if (error instanceof ApiError && error.status === 404) return <ProfileNotAvailable id={id} />
  if (data) return <LoadedProfile profile={data} {...listLinks} />
  if (error) {
    return <LoadFailure onRetry={refetch}>This profile did not load.</LoadFailure>
  }
  return <Loading>Loading profile...</Loading>
}

function LoadedProfile({ profile, ...listLinks }: { profile: Profile } & ProfileListLinks) {
  const { id, bio } = profile
  const status = useFollowStatus(id)
  const stats = useQuery({ ...query(getUserStats, { params: { id } }), staleTime: 0 })
  return (
    <ProfileView
      // The follow status has the newer counts.
      profile={{ ...profile, ...status.data }}
      stats={stats}
      action={<FollowAction id={id} name={displayName(profile)} status={status} />}
      {...listLinks}
    >
      {bio && (
        <section aria-label="Bio" className="grid gap-2">
          <h3>Bio</h3>
          <p dir="auto" className="text-base wrap-anywhere whitespace-pre-line">
            {bio}
          </p>
        </section>
      )}
      <ReportButton subjects={reportableParts(profile)}>Report this profile</ReportButton>
    </ProfileView>
  )
}

/** The parts of the profile that can be reported. */
const reportableParts = ({ id, bio, profileImageUrl }: Profile) =>
  (['person', bio && 'bio', profileImageUrl && 'photo'] as const).flatMap((subject) =>
    subject ? [{ subject, subjectId: id }] : [],
  )

interface FollowActionProps {
  id: string
  name: string
  status: ReturnType<typeof useFollowStatus>
}

function FollowAction({ id, name, status: { data, isError, refetch } }: FollowActionProps) {
  if (isError && !data) return <LoadFailure onRetry={refetch}>Your follow status did not load.</LoadFailure>
  return <FollowButton id={id} name={name} isFollowing={data?.isFollowing ?? false} enabled={Boolean(data)} />
}

/** A profile that is private, deleted or unknown. A follower can still unfollow (people-2). */
function ProfileNotAvailable({ id }: { id: string }) {
  const status = useFollowStatus(id)
  return (
    <>
      <p className="text-base text-ink-2">
        This profile is not available. It is private now, or was deleted.
      </p>
      {status.data?.isFollowing && (
        <div>
          <FollowButton id={id} name="this listener" isFollowing />
        </div>
      )}
    </>
  )
}

const useFollowStatus = (id: string) =>
  useQuery({ ...query(getFollowStatus, { params: { id } }), staleTime: 0 })
