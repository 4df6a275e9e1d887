import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { songName } from '../../contract/isolateName.ts'
import { type RatedSong, removeRating } from '../../contract/library.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { removeToast, toast, UNDO_TIME } from '../ui/toast.ts'
import { invalidateRatings } from './applyRatingToCache.ts'
import { type CachedRatings, type PendingRemoval, ratingsQuery, usePendingRemovals } from './ratingsQuery.ts'

const TOAST_NAME = 'removed-from-library'

/**
 * Hides a banger and offers Undo. The removal is sent when the toast ends, so the server never has to restore a rating
 * with its date and counts (library-14).
 */
export function useRemoveFromLibrary() {
  const queryClient = useQueryClient()
  const commitRemovals = useCallback(() => void sendRemovals(queryClient), [queryClient])
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

/** Shows the bangers whose removal was not sent yet. */
export function undoRemovals(): void {
  const unsentRemovals = getUnsentRemovals()
  if (unsentRemovals.length === 0) return
  const focusedToast = document.activeElement?.closest('[data-toast]')
  updateRemovals((all) => all.filter(({ isSent }) => isSent))
  removeToast(TOAST_NAME)
  toast({ title: 'Back in your library', description: nameRemovals(unsentRemovals) })
  if (!focusedToast) return
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-banger="${unsentRemovals[0]?.banger.id}"] button`)?.focus(),
  )
}

const getUnsentRemovals = () => usePendingRemovals.getState().filter(({ isSent }) => !isSent)

const updateRemovals = (change: (all: readonly PendingRemoval[]) => readonly PendingRemoval[]) =>
  usePendingRemovals.setState(change, true)

const nameRemovals = ([first, ...others]: readonly PendingRemoval[]) =>
  others.length > 0 || !first ? `${others.length + 1} songs` : songName(first.banger.song)

async function sendRemovals(queryClient: QueryClient): Promise<void> {
  const bangersToRemove = getUnsentRemovals().map(({ banger }) => banger)
  if (bangersToRemove.length === 0) return
  const isSending = ({ id }: RatedSong) => bangersToRemove.some((one) => one.id === id)
  updateRemovals((all) => all.map((one) => (isSending(one.banger) ? { ...one, isSent: true } : one)))
  const outcomes = await Promise.all(bangersToRemove.map(removeBanger))
  const wasRemoved = ({ id }: RatedSong) => bangersToRemove.some((one, i) => one.id === id && outcomes[i])
  queryClient.setQueryData<CachedRatings>(
    ratingsQuery.queryKey,
    (cached) => cached && { ...cached, ratings: cached.ratings.filter((one) => !wasRemoved(one)) },
  )
  updateRemovals((all) => all.filter(({ banger }) => !isSending(banger)))
  invalidateRatings(queryClient)
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
