import { type QueryClient, QueryObserver, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listMicrogenres } from '../../contract/discovery.ts'
import { getImport, type Import, type ImportStatus, listImports } from '../../contract/imports.ts'
import { ApiError } from '../api/ApiError.ts'
import { query } from '../api/query.ts'
import { invalidateRatings } from '../library/applyRatingToCache.ts'

/** Milliseconds between two looks at an import that the server works on, and after a failure. */
const POLL_INTERVAL = 1000
const RETRY_INTERVAL = 10_000
/** The list counts the songs of all imports. */
const LIST_INTERVAL = 5000

const READING: readonly ImportStatus[] = ['waiting', 'reading']
const CHANGING: readonly ImportStatus[] = ['applying', 'reverting']

/** It was cancelled, discarded, taken back, or is too old. */
export const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

interface Polled<Data> {
  state: { data: Data | undefined; error: Error | null }
}

function pollWhile(
  statuses: readonly ImportStatus[],
  imports: readonly Import[],
  error: Error | null,
  interval = POLL_INTERVAL,
) {
  if (isGone(error) || !imports.some(({ status }) => statuses.includes(status))) return false
  return error ? RETRY_INTERVAL : interval
}

/** All imports, asked for while one is read. */
export const importsQuery = {
  ...query(listImports),
  staleTime: 0,
  refetchInterval: ({ state: { data = [], error } }: Polled<Import[]>) =>
    pollWhile(READING, data, error, LIST_INTERVAL),
}

/** An import, asked for while it has one of these statuses. */
export const importQuery = (id: string, statuses = READING) => ({
  ...query(getImport, { params: { id } }),
  staleTime: 0,
  refetchInterval: ({ state: { data, error } }: Polled<Import>) =>
    pollWhile(statuses, data ? [data] : [], error),
})

const followed = new Set<string>()

/** Asks until an import is added or taken back, also when its page is left, and loads again what shows ratings. */
export function followImport(queryClient: QueryClient, id: string): void {
  if (followed.has(id)) return
  followed.add(id)
  const observer = new QueryObserver(queryClient, importQuery(id, CHANGING))
  const stop = observer.subscribe(({ data, error, isFetching }) => {
    if (isFetching || (data && CHANGING.includes(data.status) && !isGone(error))) return
    stop()
    followed.delete(id)
    invalidateRatings(queryClient)
    for (const { path } of [listMicrogenres, listImports])
      void queryClient.invalidateQueries({ queryKey: [path] })
  })
}

/** Follows those of these imports that are being added or taken back, such as after a reload. */
export function useFollowImports(imports: readonly Import[]): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    for (const { id, status } of imports) if (CHANGING.includes(status)) followImport(queryClient, id)
  })
}
