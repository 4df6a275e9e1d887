import { useQuery } from '@tanstack/react-query'
import { looksLikeAddress, recogniseSong, searchSongs } from '../../contract/suggestions.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useDebouncedValue } from '../ui/controls/SearchField.tsx'

/** Shorter texts match too much. */
const MIN_SEARCH_LENGTH = 2

/**
 * Looks up what was typed, once typing pauses: a URL names one song, words find several. A newer text cancels the older
 * call.
 */
export function useSongLookup(searchText: string) {
  const text = searchText.trim()
  const debouncedText = useDebouncedValue(text)
  const isLink = looksLikeAddress(debouncedText)
  const recognition = useQuery({
    queryKey: [recogniseSong.path, { address: debouncedText }],
    queryFn: ({ signal }) => call(recogniseSong, { body: { address: debouncedText } }, { signal }),
    enabled: isLink,
  })
  const search = useSongSearch(isLink ? '' : debouncedText)
  const { error, refetch } = isLink ? recognition : search
  return {
    recognisedSong: isLink ? recognition.data : undefined,
    searchResult: isLink ? undefined : search.data,
    isSearching:
      text.length >= MIN_SEARCH_LENGTH &&
      (text !== debouncedText || recognition.isFetching || search.isFetching),
    error,
    retry: () => void refetch(),
  }
}

/** Searches songs by title and artist, from two letters on. */
export function useSongSearch(searchText: string) {
  return useQuery({
    ...query(searchSongs, { query: { words: searchText } }),
    enabled: searchText.length >= MIN_SEARCH_LENGTH,
  })
}
