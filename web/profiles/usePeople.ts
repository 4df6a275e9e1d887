import { useQuery } from '@tanstack/react-query'
import { DISCOVER_LIMIT, listPublicUsers } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { usePaused } from '../ui/SearchField.tsx'

/**
 * Public listeners to search. One answer has a limited length; when there may be more, the server is asked for the
 * text too, once typing pauses.
 */
export function usePeople(wanted: string) {
  const everybody = useQuery(query(listPublicUsers))
  const isCut = (everybody.data?.length ?? 0) >= DISCOVER_LIMIT
  const search = usePaused(wanted.trim())
  const matching = useQuery({
    ...query(listPublicUsers, { query: { search } }),
    enabled: isCut && search !== '',
  })
  // Until the server answers, the known listeners are searched.
  const people = isCut && search === wanted.trim() ? (matching.data ?? everybody.data) : everybody.data
  return { people, isError: everybody.isError, refetch: everybody.refetch }
}
