import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiError } from '../api/ApiError.ts'
import { useCurrentUser } from '../auth/currentUser.ts'
import { Button } from '../ui/controls/Button.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import type { ProfileList } from '../ui/screenParams.ts'
import { PersonRow, PrivatePersonRow } from './PersonRow.tsx'
import { followsQuery, isOwnFollowingList } from './peopleCache.ts'

interface FollowListProps {
  id: string
  list: ProfileList
  onChoose: (id: string) => void
  /** The profile that was just viewed: the focus returns to its row. */
  lastViewedId: string | null
}

/** Followers of a listener, or those whom the listener follows, newest first (people-26). */
export function FollowList({ id, list, onChoose, lastViewedId }: FollowListProps) {
  const { user } = useCurrentUser()
  const { data, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    followsQuery(id, list),
  )
  if (error instanceof ApiError && error.status === 404) {
    return (
      <p className="text-base text-ink-2">
        This list is not available. Its owner is private now, or was deleted.
      </p>
    )
  }
  if (!data) {
    if (error) return <LoadFailure onRetry={refetch}>This list did not load.</LoadFailure>
    return <Loading>Looking for people...</Loading>
  }
  const follows = data.pages.flatMap(({ items }) => items)
  const loadMore = () => void fetchNextPage({ cancelRefetch: false })
  return (
    <>
      {follows.length === 0 && !hasNextPage && (
        <p className="text-base text-ink-2">Nobody is listed here yet.</p>
      )}
      <ul>
        {follows.map((follow) =>
          follow.profile ? (
            <PersonRow
              key={follow.id}
              person={{ ...follow.profile, isFollowing: follow.isFollowing }}
              isMe={follow.id === user?.id}
              onChoose={() => onChoose(follow.id)}
              takesFocus={follow.id === lastViewedId}
            />
          ) : (
            <PrivatePersonRow key={follow.id} follow={follow} />
          ),
        )}
      </ul>
      {isError ? (
        <LoadFailure onRetry={loadMore}>The rest of this list did not load.</LoadFailure>
      ) : (
        hasNextPage && (
          <div>
            <Button aria-disabled={isFetchingNextPage || undefined} onClick={loadMore}>
              {isFetchingNextPage ? 'Loading...' : 'Show more'}
            </Button>
          </div>
        )
      )}
      {!isOwnFollowingList(id, list) && (
        <p className="text-xs text-ink-2">Private listeners count, but are not listed.</p>
      )}
    </>
  )
}
