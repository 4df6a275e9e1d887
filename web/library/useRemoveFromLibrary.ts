import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { songName } from '../../contract/isolateName.ts'
import { type RatedSong, removeRating } from '../../contract/library.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { dropToast, toast, toastError } from '../ui/toast.ts'
import { type PendingRemoval, removals } from './removals.ts'
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
  const end = useCallback(() => void sendRemovals(queryClient, invalidate), [queryClient, invalidate])
  const flush = useCallback(() => {
    end()
    dropToast(TOAST_NAME)
  }, [end])
  return useCallback(
    (banger: RatedSong) => {
      const before = removals.state()
      if (before.some((one) => one.banger.id === banger.id)) return
      removals.set([...before, { banger, isSent: false }])
      window.addEventListener('pagehide', flush, { once: true })
      toast({
        name: TOAST_NAME,
        title: 'Removed from your library',
        description: nameAll(undoable()),
        tone: 'success',
        duration: UNDO_TIME,
        action: { label: 'Undo', run: undoRemovals },
        onEnd: end,
      })
    },
    [end, flush],
  )
}

/** Shows the bangers again whose removal was not sent yet. */
export function undoRemovals(): void {
  const open = undoable()
  if (open.length === 0) return
  const fromToast = document.activeElement?.closest('[data-toast]')
  removals.set(removals.state().filter(({ isSent: sent }) => sent))
  dropToast(TOAST_NAME)
  toast({ title: 'Back in your library', description: nameAll(open) })
  if (!fromToast) return
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-banger="${open[0]?.banger.id}"] button`)?.focus(),
  )
}

const undoable = () => removals.state().filter(({ isSent: sent }) => !sent)

const nameAll = ([first, ...others]: readonly PendingRemoval[]) =>
  others.length > 0 || !first ? `${others.length + 1} songs` : songName(first.banger.song)

async function sendRemovals(queryClient: QueryClient, invalidate: () => void): Promise<void> {
  const sending = undoable().map(({ banger }) => banger)
  if (sending.length === 0) return
  const isSending = ({ id }: RatedSong) => sending.some((one) => one.id === id)
  removals.set(removals.state().map((one) => (isSending(one.banger) ? { ...one, isSent: true } : one)))
  const gone = await Promise.all(sending.map(removeBanger))
  const isGone = ({ id }: RatedSong) => sending.some((one, i) => one.id === id && gone[i])
  queryClient.setQueryData<CachedRatings>(
    ratingsQuery.queryKey,
    (known) => known && { ...known, ratings: known.ratings.filter((one) => !isGone(one)) },
  )
  removals.set(removals.state().filter(({ banger }) => !isSending(banger)))
  invalidate()
  if (gone.every(Boolean)) return
  toastError('The song is still in your library. Please try again.')
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
