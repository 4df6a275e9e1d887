import { useInfiniteQuery } from '@tanstack/react-query'
import { type Heap, listImportSongs } from '../../contract/imports.ts'
import { call } from '../api/call.ts'

/** Songs per request. */
const PAGE_SIZE = 50

export const importSongsKey = (id: string, heap: Heap) => [listImportSongs.path, id, heap]

/** The known, doubtful or unknown songs of an import, page by page. */
export function useImportSongs(id: string, heap: Heap) {
  const { data, fetchNextPage, ...rest } = useInfiniteQuery({
    queryKey: importSongsKey(id, heap),
    queryFn: ({ pageParam, signal }) =>
      call(
        listImportSongs,
        { params: { id }, query: { heap, limit: PAGE_SIZE, after: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length === PAGE_SIZE ? page.at(-1)?.place : undefined),
  })
  return { ...rest, songs: data?.pages.flat(), loadMore: () => void fetchNextPage({ cancelRefetch: false }) }
}
