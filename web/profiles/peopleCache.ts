import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  type FollowListEntry,
  type FollowStatus,
  getFollowStatus,
  listFollowers,
  listFollowing,
  listPublicUsers,
  type Person,
} from '../../contract/profiles.ts'
import { callPage, type ListPage } from '../api/call.ts'
import { query } from '../api/query.ts'
import { readCurrentUser, setCurrentUser } from '../auth/currentUser.ts'
import type { ProfileList } from '../ui/screenParams.ts'

const listEndpoints = { followers: listFollowers, following: listFollowing }

type Follows = InfiniteData<ListPage<FollowListEntry>>

/** One of the lists of a profile, page by page. */
export function followsQuery(id: string, list: ProfileList) {
  return {
    queryKey: [listEndpoints[list].path, { id }] as const,
    queryFn: ({ pageParam: after, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      callPage(listEndpoints[list], { params: { id }, query: { after } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: ListPage<FollowListEntry>) => next,
  }
}

/** Whether it is the list that the listener changes by following. */
export const isOwnFollowingList = (id: string, list: ProfileList) =>
  list === 'following' && id === readCurrentUser()?.id

/** Writes a new follow status into the cached lists and counts. No row moves, and nothing is requested. */
export function applyFollowToCache(queryClient: QueryClient, id: string, status: FollowStatus): void {
  const { isFollowing, ...counts } = status
  queryClient.setQueryData(query(getFollowStatus, { params: { id } }).queryKey, status)
  queryClient.setQueriesData<Person[]>({ queryKey: [listPublicUsers.path] }, (people) =>
    people?.map((person) => (person.id === id ? { ...person, ...status } : person)),
  )
  const updateFollow = (entry: FollowListEntry) =>
    entry.id === id
      ? { ...entry, isFollowing, profile: entry.profile && { ...entry.profile, ...counts } }
      : entry
  for (const { path } of Object.values(listEndpoints))
    queryClient.setQueriesData<Follows>(
      { queryKey: [path] },
      (follows) => follows && mapFollows(follows, updateFollow),
    )
  const user = readCurrentUser()
  if (!user) return
  setCurrentUser({ ...user, followingCount: user.followingCount + (isFollowing ? 1 : -1) })
  // These lists have gained or lost an entry. They are fetched again when they are next shown.
  const ownFollowingKey = [listFollowing.path, { id: user.id }]
  const isListed = queryClient
    .getQueryData<Follows>(ownFollowingKey)
    ?.pages.some(({ items }) => items.some((one) => one.id === id))
  for (const queryKey of [[listFollowers.path, { id }], ...(isListed ? [] : [ownFollowingKey])])
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

function mapFollows(follows: Follows, updateFollow: (entry: FollowListEntry) => FollowListEntry): Follows {
  return {
    ...follows,
    pages: follows.pages.map((page) => ({ ...page, items: page.items.map(updateFollow) })),
  }
}

export function removePeopleLists(queryClient: QueryClient): void {
  for (const { path } of [listPublicUsers, ...Object.values(listEndpoints)])
    queryClient.removeQueries({ queryKey: [path] })
}
