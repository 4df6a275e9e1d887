import { useQuery } from '@tanstack/react-query'
import { isAddress, recogniseSong, searchSongs } from '../../contract/suggestions.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { usePaused } from '../ui/SearchField.tsx'

/** Fewer find too much. */
const MIN_SEARCH_LENGTH = 2

/**
 * What a typed text names, once typing pauses: an address one song, words the songs that are found. A newer text cancels
 * the older call.
 */
export function useLookUp(typed: string) {
  const text = typed.trim()
  const paused = usePaused(text)
  const isLink = isAddress(paused)
  const recognised = useQuery({
    queryKey: [recogniseSong.path, { address: paused }],
    queryFn: ({ signal }) => call(recogniseSong, { body: { address: paused } }, { signal }),
    enabled: isLink,
  })
  const found = useSongSearch(isLink ? '' : paused)
  const { error, refetch } = isLink ? recognised : found
  return {
    recognised: isLink ? recognised.data : undefined,
    found: isLink ? undefined : found.data,
    isSearching:
      text.length >= MIN_SEARCH_LENGTH && (text !== paused || recognised.isFetching || found.isFetching),
    error,
    retry: () => void refetch(),
  }
}

/** Songs for words of title and artist; nothing is asked for fewer than two letters. */
export function useSongSearch(words: string) {
  return useQuery({ ...query(searchSongs, { query: { words } }), enabled: words.length >= MIN_SEARCH_LENGTH })
}
