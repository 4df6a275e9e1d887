import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { listMicrogenres } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import type { Song } from '../../contract/shapes.ts'
import { useCheckAchievements } from '../achievements/useCheckAchievements.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { useInvalidateRatings } from '../library/useInvalidateRatings.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { useStore } from '../ui/store.ts'
import { toast } from '../ui/toast.ts'
import { discoveryCalls } from './discoveryCalls.ts'
import { createDiscoveryEngine, type DiscoveryEngine } from './discoveryEngine.ts'
import { canUndo, type Discovery } from './discoveryState.ts'
import { useMicrogenreSelected } from './microgenreSelected.ts'

/**
 * Rating songs of one microgenre. `onSelected` is called when a microgenre of the list is selected, also the current
 * one (discover-4).
 */
export function useDiscovery(onSelected: () => void) {
  const playback = usePlayback()
  const onRatingsChanged = useRatingsChanged()
  const [discovery] = useState(() =>
    createDiscoveryEngine({
      calls: discoveryCalls,
      playback,
      onRated: onRatingsChanged,
      onFailure: (what) => toast({ title: 'Error', description: failures[what], tone: 'error' }),
      preloadArt,
    }),
  )
  useEffect(() => discovery.run(), [discovery])

  const microgenres = useQuery(query(listMicrogenres))
  const list = microgenres.data
  useEffect(() => {
    if (list) discovery.begin(list)
  }, [list, discovery])
  useMicrogenreSelected((id) => {
    const isKnown = list?.some((microgenre) => microgenre.id === id) ?? true
    if (!isKnown) return
    onSelected()
    const { microgenreId, view } = discovery.state()
    if (id !== microgenreId || view !== 'song') discovery.choose(id)
  })

  const microgenreId = useStore(discovery, (state) => state.microgenreId)
  return {
    discovery,
    microgenres,
    microgenre: list?.find(({ id }) => id === microgenreId) ?? null,
    undo: useUndo(discovery, onRatingsChanged),
    /** Retries what did not load: the microgenres, or the first song of one. */
    tryAgain() {
      if (list) discovery.send({ type: 'restarted' })
      else void microgenres.refetch()
    },
  }
}

/** After a rating was stored or undone. */
function useRatingsChanged() {
  const invalidateRatings = useInvalidateRatings()
  const checkAchievements = useCheckAchievements()
  return useCallback(() => {
    invalidateRatings()
    checkAchievements()
  }, [invalidateRatings, checkAchievements])
}

/** A retry after a lost response changes nothing more, because the rating's time identifies it. */
function useUndo(discovery: DiscoveryEngine, onSettled: () => void) {
  const { mutate } = useAction({
    mutationFn: ({ song, ratedAt }: Discovery['rated'][number] & { visit: number }) =>
      call(removeRating, { params: { songId: song.id }, query: { undo: 'true', ratedAt } }),
    onMutate: () => discovery.send({ type: 'undo' }),
    onSuccess(_, { song, visit }) {
      discovery.send({ type: 'undone', visit, song })
      toast({ title: 'Rating undone' })
    },
    onError(_, { visit }) {
      discovery.send({ type: 'undo-failed', visit })
      toast({ title: 'Error', description: 'Failed to undo the rating. Please try again.', tone: 'error' })
    },
    onSettled,
  })
  return () => {
    const state = discovery.state()
    const [latest] = state.rated
    if (latest && canUndo(state)) mutate({ ...latest, visit: state.visit })
  }
}

/** Preloads the art of queued songs. */
function preloadArt(songs: readonly Song[]) {
  for (const { albumArt } of songs) if (albumArt) new Image().src = albumArt
}

const failures = {
  rating: 'Failed to rate song. Please try again.',
  song: 'Failed to load the next song. Please try again.',
}
