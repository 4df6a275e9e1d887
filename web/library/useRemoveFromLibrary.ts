import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { songName } from '../../contract/isolateName.ts'
import { type RatedSong, removeRating } from '../../contract/library.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { removeToast, toast } from '../ui/toast.ts'
import { type PendingRemoval, usePendingRemovals } from './pendingRemovals.ts'
import { type CachedRatings, ratingsQuery } from './useBangers.ts'
import { useInvalidateRatings } from './useInvalidateRatings.ts'

const TOAST_NAME = 'removed-from-library'
const UNDO_TIME = 10_000

/**
 * Hides a banger and offers Undo. The removal is sent when the offer ends: the server needs no way to restore a
 * rating with its date, its place and all that was counted with it (library-14).
 */
export function useRemoveFromLibrary() {
  const queryClient = useQueryClient()
  const invalidate = useInvalidateRatings()
  const commitRemovals = useCallback(
    () => void sendRemovals(queryClient, invalidate),
    [queryClient, invalidate],
  )
  const flush = useCallback(() => {
    commitRemovals()
    removeToast(TOAST_NAME)
  }, [commitRemovals])
  return useCallback(
    (banger: RatedSong) => {
      const previousRemovals = usePendingRemovals.getState()
      if (previousRemovals.some((one) => one.banger.id === banger.id)) return
      usePendingRemovals.setState([...previousRemovals, { banger, isSent: false }], true)
      window.addEventListener('pagehide', flush, { once: true })
      toast({
        name: TOAST_NAME,
        title: 'Removed from your library',
        description: nameRemovals(getUnsentRemovals()),
        tone: 'success',
        duration: UNDO_TIME,
        action: { label: 'Undo', run: undoRemovals },
        onEnd: commitRemovals,
      })
    },
    [commitRemovals, flush],
  )
}

/** Shows the bangers again whose removal was not sent yet. */
export function undoRemovals(): void {
  const unsentRemovals = getUnsentRemovals()
  if (unsentRemovals.length === 0) return
  const focusedToast = document.activeElement?.closest('[data-toast]')
  usePendingRemovals.setState(
    usePendingRemovals.getState().filter(({ isSent }) => isSent),
    true,
  )
  removeToast(TOAST_NAME)
  toast({ title: 'Back in your library', description: nameRemovals(unsentRemovals) })
  if (!focusedToast) return
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-banger="${unsentRemovals[0]?.banger.id}"] button`)?.focus(),
  )
}

const getUnsentRemovals = () => usePendingRemovals.getState().filter(({ isSent }) => !isSent)

const nameRemovals = ([first, ...others]: readonly PendingRemoval[]) =>
  others.length > 0 || !first ? `${others.length + 1} songs` : songName(first.banger.song)

async function sendRemovals(queryClient: QueryClient, invalidate: () => void): Promise<void> {
  const bangersToRemove = getUnsentRemovals().map(({ banger }) => banger)
  if (bangersToRemove.length === 0) return
  const isSending = ({ id }: RatedSong) => bangersToRemove.some((one) => one.id === id)
  usePendingRemovals.setState(
    usePendingRemovals.getState().map((one) => (isSending(one.banger) ? { ...one, isSent: true } : one)),
    true,
  )
  const outcomes = await Promise.all(bangersToRemove.map(removeBanger))
  const wasRemoved = ({ id }: RatedSong) => bangersToRemove.some((one, i) => one.id === id && outcomes[i])
  queryClient.setQueryData<CachedRatings>(
    ratingsQuery.queryKey,
    (cached) => cached && { ...cached, ratings: cached.ratings.filter((one) => !wasRemoved(one)) },
  )
  usePendingRemovals.setState(
    usePendingRemovals.getState().filter(({ banger }) => !isSending(banger)),
    true,
  )
  invalidate()
  if (outcomes.every(Boolean)) return
  toast.error('The song is still in your library. Please try again.')
}

/** Whether the banger is no longer on the server. */
async function removeBanger({ song, createdAt }: RatedSong): Promise<boolean> {
  try {
    // Another tab may have rated the song meanwhile, and that rating stays.
    await call(removeRating, { params: { songId: song.id }, query: { createdAt } })
    return true
  } catch (error) {
    // It was removed elsewhere.
    return error instanceof ApiError && error.status === 404
  }
}
