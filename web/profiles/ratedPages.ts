import { listRatings } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import { callPart } from '../api/call.ts'

/** Songs per request. */
const PAGE = 100

/** The query of the page with the song at a place of the list. The first page comes after `skipped` songs. */
export function pageAt(type: Rating, place: number, skipped: number) {
  const from = place - ((place - skipped) % PAGE)
  return {
    from,
    queryKey: [listRatings.path, { type, from }] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callPart(listRatings, { query: { type } }, { from, most: PAGE }, { signal }),
  }
}
