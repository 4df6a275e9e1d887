import { useInfiniteQuery } from '@tanstack/react-query'
import { type Heap, listImportSongs } from '../../contract/imports.ts'
import { call } from '../api/call.ts'

/** Songs per request. */
const PAGE_SIZE = 50

/** The songs of a heap, page by page. */
export function useHeap(id: string, heap: Heap) {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [listImportSongs.path, id, heap],
    queryFn: ({ pageParam, signal }) =>
      call(
        listImportSongs,
        { params: { id }, query: { heap, limit: PAGE_SIZE, after: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length === PAGE_SIZE ? page.at(-1)?.place : undefined),
  })
  return { ...rest, songs: data?.pages.flat() }
}
