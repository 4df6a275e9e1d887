import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { DISCOVER_LIMIT, listPublicUsers } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'

/**
 * Public listeners to search among. One answer holds so many at most; where there may be more the server is
 * asked for the text as well, once typing has paused.
 */
export function usePeople(wanted: string) {
  const everybody = useQuery({ ...query(listPublicUsers), staleTime: 0 })
  const isCut = (everybody.data?.length ?? 0) >= DISCOVER_LIMIT
  const search = usePaused(wanted.trim())
  const matching = useQuery({
    ...query(listPublicUsers, { query: { search } }),
    enabled: isCut && search !== '',
  })
  // Until the server has answered for what is typed now, those that are known are searched.
  const people = isCut && search === wanted.trim() ? (matching.data ?? everybody.data) : everybody.data
  return { people, isError: everybody.isError, refetch: everybody.refetch }
}

/** Milliseconds without a key before the server is asked. */
const PAUSE = 300

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
