import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getNextSong, listMicrogenres, takeBackNotNow } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import { removeRating } from '../../contract/library.ts'
import { pickFirst } from '../../contract/pickMicrogenre.ts'
import { useCheckAchievements } from '../achievements/useCheckAchievements.ts'
import { ApiError } from '../api/ApiError.ts'
import { fillPath, pathHere } from '../api/address.ts'
import { call } from '../api/call.ts'
import { isEarly } from '../api/earlyCalls.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { noteLost } from '../auth/currentUser.ts'
import { noteRating } from '../library/noteRating.ts'
import { useInvalidateRatings } from '../library/useInvalidateRatings.ts'
import { usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import { trackHeard } from '../playback/trackHeard.ts'
import { preloadArt } from '../ui/artAddress.ts'
import { correctPlace, goTo, usePlacePart } from '../ui/place.ts'
import { drawLater, useStore } from '../ui/store.ts'
import { toast, toastError } from '../ui/toast.ts'
import { discoveryCalls } from './discoveryCalls.ts'
import { createDiscoveryEngine, type DiscoveryEngine } from './discoveryEngine.ts'
import { canUndo, type LastVerdict } from './discoveryState.ts'
import { useMicrogenreSelected } from './microgenreSelected.ts'
import { prefersStillness } from './swipe.ts'
import { todayQuery, zoneOfPage } from './todayQuery.ts'
import { useDiscoverPlayback } from './useDiscoverPlayback.ts'

/** The key is lit as a whole until then. */
const REVEAL_TIME = 380

/** Rating songs of the microgenre that the address names. `active` while Discover is on screen. */
export function useDiscovery(active: boolean) {
  const playback = useDiscoverPlayback()
  const player = usePlaybackEngine()
  const [heard] = useState(() => trackHeard(player))
  const queryClient = useQueryClient()
  const checkAchievements = useCheckAchievements()
  const invalidateRatings = useInvalidateRatings()
  const [discovery] = useState(() =>
    createDiscoveryEngine({
      calls: discoveryCalls,
      playback,
      onRated(song, rating, answer, sentAt) {
        // All counters render together.
        notifyManager.batch(() =>
          noteRating(queryClient, {
            song,
            rating,
            response: answer,
            sentAt,
            dailyStatsKey: todayQuery().queryKey,
          }),
        )
        // An answer that does not say may have something to announce.
        if (answer.unlocked !== false) checkAchievements()
      },
      onFailure(what, error) {
        toastError(failures[what])
        if (what !== 'song' && isSignedOut(error)) noteLost(lost[what])
        // Only the answer may have been lost, unless the server refused the rating.
        const isRefused = error instanceof ApiError && error.status < 500
        if (what === 'rating' && !isRefused) invalidateRatings()
      },
      preloadArt(songs) {
        for (const { albumArt } of songs) preloadArt(albumArt)
      },
      ratingContext: (songId) => ({
        heard: heard.getHeard(songId),
        // Only a phone shows what was rated today.
        zone: queryClient.getQueryData(todayQuery().queryKey) ? zoneOfPage() : undefined,
      }),
      revealTime: () => (prefersStillness() ? 0 : REVEAL_TIME),
      drawLater,
    }),
  )
  useEffect(() => discovery.run(), [discovery])
  useEffect(() => heard.start(), [heard])

  const microgenres = useQuery(query(listMicrogenres))
  const list = microgenres.data
  useFollowAddress(discovery, active, list, microgenres.isFetched)
  useMicrogenreSelected((id) => {
    if (!isKnown(list, id)) return
    const { microgenreId, view } = discovery.state()
    // The address does not change then, but the listener wants its songs.
    if (id === microgenreId && view !== 'song') discovery.choose(id)
    goTo({ section: 'discover', microgenre: id })
  })

  const microgenreId = useStore(discovery, (state) => state.microgenreId)
  return {
    discovery,
    microgenres,
    microgenre: list?.find(({ id }) => id === microgenreId) ?? null,
    undo: useUndo(discovery, () => {
      invalidateRatings()
      checkAchievements()
    }),
    /** Retries what did not load: the microgenres, or the first song of one. */
    tryAgain() {
      if (list) discovery.send({ type: 'restarted' })
      else void microgenres.refetch()
    },
  }
}

/**
 * Chooses the microgenre of the address, or one at random when it names none (discover-1). Another section keeps the
 * chosen one, because a switch would interrupt its song (screens-13).
 */
function useFollowAddress(
  discovery: DiscoveryEngine,
  active: boolean,
  list: Microgenres | undefined,
  isFetched: boolean,
) {
  const microgenre = usePlacePart('microgenre')
  useEffect(() => {
    const { microgenreId: current } = discovery.state()
    if (!isFetched || (!active && current !== null) || pathHere() !== '/') return
    if (microgenre === null || !isKnown(list, microgenre)) {
      const first = list?.find(({ id }) => isEarly(fillPath(getNextSong, { id }))) ?? pickFirst(list ?? [])
      correctPlace({ microgenre: current ?? first?.id ?? null })
    } else if (microgenre !== current) discovery.choose(microgenre)
  }, [discovery, active, list, isFetched, microgenre])
}

type Microgenres = Response<typeof listMicrogenres>

/** Every id counts as known while there is no list. */
const isKnown = (list: Microgenres | undefined, id: string) => list?.some((one) => one.id === id) ?? true

/** A retry after a lost response changes nothing more, because the rating's time identifies it. */
function useUndo(discovery: DiscoveryEngine, onSettled: () => void) {
  const { mutate } = useAction({
    mutationFn({ song, rating, at }: LastVerdict & { visit: number }) {
      const params = { songId: song.id }
      return rating
        ? call(removeRating, { params, query: { undo: 'true', ratedAt: at } })
        : call(takeBackNotNow, { params, query: { saidAt: at } })
    },
    onMutate: () => discovery.send({ type: 'undo' }),
    onSuccess(_, { song, rating, visit }) {
      discovery.send({ type: 'undone', visit, song })
      toast({ title: rating ? 'Rating undone' : 'Not now undone' })
    },
    onError(error, { rating, visit }) {
      if (isSignedOut(error)) noteLost(lost.undo)
      discovery.send({ type: 'undo-failed', visit })
      const what = rating ? 'the rating' : "'Not now'"
      toastError(`Failed to undo ${what}. Please try again.`)
    },
    onSettled,
  })
  return () => {
    const state = discovery.state()
    if (state.last && canUndo(state)) mutate({ ...state.last, visit: state.visit })
  }
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

const lost = {
  rating: 'Your last rating was not kept.',
  notNow: "Your last 'Not now' was not kept.",
  undo: 'Your last undo was not kept.',
}

const failures = {
  rating: 'Failed to rate song. Please try again.',
  notNow: 'Failed to put the song off. Please try again.',
  song: 'Failed to load the next song. Please try again.',
}
