import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listCollections, type OwnCollection } from '../../contract/collections.ts'
import { query } from '../api/query.ts'
import type { CollectionGenre } from './CollectionPreview.tsx'

/** Views are counted meanwhile, so the list is fetched whenever it appears. */
const own = { ...query(listCollections), staleTime: 0 }

export const useOwnCollections = () => useQuery(own)

/** Returns the function that changes the cached list as an answered call has changed the collections. */
export function useChangeOwn() {
  const client = useQueryClient()
  return (change: (all: OwnCollection[]) => OwnCollection[]) =>
    client.setQueryData<OwnCollection[]>(own.queryKey, (all) => all && change(all))
}

/** Its microgenres in the owner's order. */
export function genresOf({ items }: OwnCollection): CollectionGenre[] {
  return items.map(({ microgenreId, ...genre }) => ({ id: microgenreId, ...genre }))
}

/** Who can see it, and how often it was seen. */
export function describeCollection({ isPublic, shareToken, viewCount }: OwnCollection): string {
  const access = isPublic ? (shareToken === null ? 'Public, without a link' : 'Public') : 'Private'
  return viewCount === 0
    ? access
    : `${access} · ${viewCount.toLocaleString()} ${viewCount === 1 ? 'view' : 'views'}`
}
