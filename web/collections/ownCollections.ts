import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listCollections, type OwnCollection } from '../../contract/collections.ts'
import { query } from '../api/query.ts'
import type { CollectionGenre } from './CollectionPreview.tsx'

/** View counts change, so the list is fetched whenever it appears. */
const ownCollectionsQuery = { ...query(listCollections), staleTime: 0 }

export const useOwnCollections = () => useQuery(ownCollectionsQuery)

/** Returns a function that changes the cached list as the server has changed it. */
export function useUpdateCachedCollections() {
  const queryClient = useQueryClient()
  return (change: (all: OwnCollection[]) => OwnCollection[]) =>
    queryClient.setQueryData<OwnCollection[]>(ownCollectionsQuery.queryKey, (all) => all && change(all))
}

/** Its microgenres in the owner's order. */
export function genresOf({ items }: OwnCollection): CollectionGenre[] {
  return items.map(({ microgenreId, ...genre }) => ({ id: microgenreId, ...genre }))
}

/** Who can see it, and how often it was seen. */
export function formatAccessAndViews({ isPublic, shareToken, viewCount }: OwnCollection): string {
  const access = isPublic ? (shareToken === null ? 'Public, without a link' : 'Public') : 'Private'
  return viewCount === 0
    ? access
    : `${access} · ${viewCount.toLocaleString()} ${viewCount === 1 ? 'view' : 'views'}`
}
